// The values that scaling averages: samples; R'G'B' if the format has alpha, so that transparent pixels count for
// nothing (a mean of samples would contain colours that nobody sees); or light (LINEAR_LIGHT).
// The renderer defines OPAQUE if there is no alpha, MATRIX_FIRST in the two latter cases, FLOAT if samples are
// floating-point numbers, and BOUNDED if positions beyond the visible part occur, whose samples must not be mixed in.
// `colorMatrix` and `colorOffset` are constants that the renderer prepends, made from Kr, Kb, range and depth: a
// software rasterizer is a fifth faster with constants than with uniforms.

vec3 pixelAt(vec2 place) {
    vec2 luma = place * picture.lumaScale;
    vec2 chroma = place * picture.chromaScale + picture.chromaShift;
#ifdef BOUNDED
    luma = clamp(luma, picture.lumaBounds.xy, picture.lumaBounds.zw);
    chroma = clamp(chroma, picture.chromaBounds.xy, picture.chromaBounds.zw);
#endif
    vec4 samples = samplePlanes(luma, chroma);
#ifdef FLOAT
    // An infinite sample would become NaN in a product with zero.
    samples = clamp(samples, -65504.0, 65504.0);
#endif
#ifdef MATRIX_FIRST
    samples.rgb = colorMatrix * samples.rgb + colorOffset;
#endif
#ifndef OPAQUE
    samples.rgb = clamp(samples.rgb, 0.0, 1.0) * clamp(samples.a, 0.0, 1.0);
#endif
#ifdef LINEAR_LIGHT
    samples.rgb = linearLight(samples.rgb);
#endif
    return samples.rgb;
}
