//! name Vignette
//! about Darkens towards the corners, smoothly with the distance from the centre; half a diagonal is 1.
//! param amount float 0 1 0.7 "Amount"
//! param radius float 0 1 0.4 "Radius within which nothing is darker"
//! param softness float 0.01 1 0.6 "Softness: the width of the slope"
//! param center point 0.5 0.5 "Centre"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    float corner = 0.5 * length(resolution);
    float far = length((uv - center) * resolution) / corner;
    return vec4(color.rgb * (1.0 - amount * smoothstep(radius, radius + softness, far)), color.a);
}
