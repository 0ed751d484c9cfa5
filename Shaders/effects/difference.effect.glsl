//! name Difference
//! about The picture minus that of another tile, amplified: the absolute difference, or a signed one around mid-gray.
//! param with tile 2 "Other tile"
//! param gain float 1 64 8 "Gain"
//! param show choice absolute,signed absolute "Shown"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec3 difference = gain * (color.rgb - with(uv).rgb);
    return vec4(show == show_signed ? 0.5 + 0.5 * difference : abs(difference), color.a);
}
