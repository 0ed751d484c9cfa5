// The values that scaling averages: samples; premultiplied R'G'B' if the format has alpha, so that the colours of
// transparent pixels are not mixed in; or light (LINEAR_LIGHT).
// The renderer defines OPAQUE if there is no alpha, MATRIX_FIRST in the two latter cases, FLOAT if samples are
// floating-point numbers, and BOUNDED if positions beyond the visible part are read: they return the outermost visible
// pixels, with chroma sampled at the centres of those, so that nothing beyond is mixed in.
// `colorMatrix` and `colorOffset` are constants that the renderer prepends, made from Kr, Kb, range and depth: a
// software rasterizer is a fifth faster with constants than with uniforms.

vec3 pixelAt(vec2 place) {
#ifdef BOUNDED
    place = clamp(place, pictureBounds.xy, pictureBounds.zw);
#endif
    vec2 chroma = place * pictureChromaScale + pictureChromaShift;
#ifdef BOUNDED
    chroma = clamp(chroma, pictureChromaBounds.xy, pictureChromaBounds.zw);
#endif
    vec4 samples = samplePlanes(place * pictureLumaScale, chroma);
#ifdef FLOAT
    // An infinite sample would become NaN in a product with zero.
    samples = clamp(samples, -65504.0, 65504.0);
#endif
#ifdef MATRIX_FIRST
    samples.rgb = colorMatrix * samples.rgb + colorOffset;
#endif
#ifndef OPAQUE
    // Clamped first: opacity is a share of the colour that an opaque pixel would show.
    samples.rgb = clamp(samples.rgb, 0.0, 1.0) * clamp(samples.a, 0.0, 1.0);
#endif
#ifdef LINEAR_LIGHT
    samples.rgb = linearLight(samples.rgb);
#endif
    return samples.rgb;
}
