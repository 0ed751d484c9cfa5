// Y in one texture, Cb and Cr interleaved in the other: semi-planar formats, and packed 4:2:2, whose memory is uploaded
// twice, with two components at full width for Y and with four at half width for Cb and Cr. The renderer defines LUMA
// and CHROMA, the components to use. Returns samples as the textures contain them, 0 to 1, and alpha.

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    return vec4(texture(plane0, luma).LUMA, texture(plane1, chroma).CHROMA, 1.0);
}
