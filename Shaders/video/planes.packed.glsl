// All components in one texel. The renderer defines COLOR, the components to use, and OPACITY, which may use `texel`.
// Returns samples as the texture contains them, 0 to 1, and alpha.

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    vec4 texel = texture(plane0, luma);
    return vec4(texel.COLOR, OPACITY);
}
