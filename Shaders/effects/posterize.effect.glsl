//! name Posterize
//! about Few levels of R', G' and B', each of an equal share of the code values, from black to full.
//! param levels int 2 32 4 "Levels"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    float most = float(levels - 1);
    return vec4(min(floor(color.rgb * float(levels)), most) / most, color.a);
}
