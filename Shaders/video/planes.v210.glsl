// Six pixels in four texels of three samples: Cb Y Cr, Y Cb Y, Cr Y Cb, Y Cr Y. So sample k of a row is component k % 3
// of texel k / 3; every second sample is Y, every fourth Cb, every fourth Cr. The hardware cannot filter that, so the
// shader does: SMOOTH_LUMA and SMOOTH_CHROMA. Returns samples, 0 to 1, and alpha.

uniform vec2 pictureSize;

float sampleAt(int index, int row) { return texelFetch(plane0, ivec2(index / 3, row), 0)[index % 3]; }

float lumaAt(ivec2 place) {
    place = clamp(place, ivec2(0), ivec2(pictureSize) - 1);
    return sampleAt(2 * place.x + 1, place.y);
}

vec2 chromaAt(ivec2 place) {
    place = clamp(place, ivec2(0), ivec2((int(pictureSize.x) + 1) / 2, int(pictureSize.y)) - 1);
    return vec2(sampleAt(4 * place.x, place.y), sampleAt(4 * place.x + 2, place.y));
}

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    luma *= pictureSize;
    chroma *= vec2((int(pictureSize.x) + 1) / 2, pictureSize.y);
#ifdef SMOOTH_LUMA
    luma -= 0.5;
    vec2 a = fract(luma);
    ivec2 i = ivec2(floor(luma));
    float y = mix(
        mix(lumaAt(i), lumaAt(i + ivec2(1, 0)), a.x), mix(lumaAt(i + ivec2(0, 1)), lumaAt(i + ivec2(1, 1)), a.x), a.y);
#else
    float y = lumaAt(ivec2(floor(luma)));
#endif
#ifdef SMOOTH_CHROMA
    chroma -= 0.5;
    vec2 b = fract(chroma);
    ivec2 j = ivec2(floor(chroma));
    vec2 c = mix(
        mix(chromaAt(j), chromaAt(j + ivec2(1, 0)), b.x), mix(chromaAt(j + ivec2(0, 1)), chromaAt(j + ivec2(1, 1)), b.x),
        b.y);
#else
    vec2 c = chromaAt(ivec2(floor(chroma)));
#endif
    return vec4(y, c, 1.0);
}
