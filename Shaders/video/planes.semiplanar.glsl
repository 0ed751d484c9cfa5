// Y in one texture, Cb and Cr side by side in the other: semi-planar formats, and packed 4:2:2, whose memory is seen twice,
// as pairs at full width for Y and as fours at half width for Cb and Cr. The renderer defines LUMA and CHROMA, the components
// to take. Returns samples as the textures give them, 0 to 1, and the opacity.

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    return vec4(texture(plane0, luma).LUMA, texture(plane1, chroma).CHROMA, 1.0);
}
