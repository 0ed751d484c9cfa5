//! name Edges
//! about Sobel's operator: the length of the gradient of luma, or of each component; 1 is a step from black to white.
//! param of choice luma,components luma "Edges of"
//! param gain float 0 8 2 "Gain"
//! param over float 0 1 0 "Share of the picture below"

vec3 at(vec2 uv, float x, float y) {
    vec3 color = sample(uv + vec2(x, y) / resolution).rgb;
    return of == of_luma ? vec3(luma(color)) : color;
}

vec4 effect(vec2 uv) {
    vec3 upperLeft = at(uv, -1.0, -1.0), upper = at(uv, 0.0, -1.0), upperRight = at(uv, 1.0, -1.0);
    vec3 left = at(uv, -1.0, 0.0), right = at(uv, 1.0, 0.0);
    vec3 lowerLeft = at(uv, -1.0, 1.0), lower = at(uv, 0.0, 1.0), lowerRight = at(uv, 1.0, 1.0);
    vec3 across = upperRight + 2.0 * right + lowerRight - upperLeft - 2.0 * left - lowerLeft;
    vec3 down = lowerLeft + 2.0 * lower + lowerRight - upperLeft - 2.0 * upper - upperRight;
    vec4 color = sample(uv);
    return vec4(over * color.rgb + gain * sqrt(across * across + down * down) / 4.0, color.a);
}
