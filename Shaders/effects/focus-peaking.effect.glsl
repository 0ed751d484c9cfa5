//! name Focus peaking
//! about Colours sharp edges: where luma changes from pixel to pixel by more than the threshold (Sobel's gradient).
//! param threshold float 0.01 1 0.15 "Change of luma that is sharp"
//! param peak color #FF2000 "Colour"
//! param gray bool false "Gray picture"

float at(vec2 uv, float x, float y) { return luma(sample(uv + vec2(x, y) / resolution).rgb); }

vec4 effect(vec2 uv) {
    float upperLeft = at(uv, -1.0, -1.0), lowerRight = at(uv, 1.0, 1.0);
    float upperRight = at(uv, 1.0, -1.0), lowerLeft = at(uv, -1.0, 1.0);
    float across = upperRight + 2.0 * at(uv, 1.0, 0.0) + lowerRight - upperLeft - 2.0 * at(uv, -1.0, 0.0) - lowerLeft;
    float down = lowerLeft + 2.0 * at(uv, 0.0, 1.0) + lowerRight - upperLeft - 2.0 * at(uv, 0.0, -1.0) - upperRight;
    // The operator spans two pixels: an eighth is the change from one to the next.
    float change = length(vec2(across, down)) / 8.0;
    vec4 color = sample(uv);
    if (gray) color.rgb = vec3(luma(color.rgb));
    return vec4(mix(color.rgb, peak, smoothstep(threshold, 1.25 * threshold, change)), color.a);
}
