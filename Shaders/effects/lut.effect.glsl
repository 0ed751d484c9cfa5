//! name Look-up table
//! about Colours from a .cube file (Adobe Cube LUT Specification 1.0), 3D or 1D; unchanged without one.
//! param table lut "Table"
//! param amount float 0 1 1 "Amount"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    return vec4(mix(color.rgb, table(color.rgb), amount), color.a);
}
