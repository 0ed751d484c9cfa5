// The values that scaling averages: samples or light. The renderer defines LINEAR_LIGHT for light, and CROPPED if the
// frame has more pixels than are shown, which must not be mixed in.
// `colorMatrix` and `colorOffset` are constants that the renderer prepends, made from Kr, Kb, range and depth: a
// software rasterizer is a fifth faster with constants than with uniforms.

in vec2 lumaPosition;
in vec2 chromaPosition;

#ifdef CROPPED
uniform vec4 lumaBounds;    // Smallest x and y, largest x and y: the centres of the outermost visible samples.
uniform vec4 chromaBounds;
#endif

vec4 pixelAt(vec2 luma, vec2 chroma) {
#ifdef CROPPED
    luma = clamp(luma, lumaBounds.xy, lumaBounds.zw);
    chroma = clamp(chroma, chromaBounds.xy, chromaBounds.zw);
#endif
    vec4 pixel = samplePlanes(luma, chroma);
#ifdef LINEAR_LIGHT
    pixel.rgb = linearLight(colorMatrix * pixel.rgb + colorOffset);
#endif
    return pixel;
}
