//! name Invert
//! about The negative, 1 - R'G'B': invert() of W3C Filter Effects Module Level 1. At one half, all is gray.
//! param amount float 0 1 1 "Amount"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    return vec4(mix(color.rgb, 1.0 - color.rgb, amount), color.a);
}
