//! name Grayscale
//! about Rec. 709 luma of each pixel: 0.2126 R' + 0.7152 G' + 0.0722 B'.

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    return vec4(vec3(luma(color.rgb)), color.a);
}
