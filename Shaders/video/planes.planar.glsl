// Components in planes of their own. The renderer defines FIRST, SECOND and THIRD, the samplers of Y, Cb and Cr or of
// R, G and B, and OPACITY. Returns samples as the textures contain them, 0 to 1, and alpha.

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    return vec4(texture(FIRST, luma).r, texture(SECOND, chroma).r, texture(THIRD, chroma).r, OPACITY);
}
