// One pixel of a video frame: samples to R'G'B' with one matrix and one offset, unless that came first; if the colours
// are not the target's (CONVERTED), through light to the target's R'G'B'; and if the target has fewer bits than the
// source, dithering of less than one code value (DITHER, the step between two) that keeps the mean. What effects read is
// clamped (CLAMPED). If effects are folded into the draw (FOLLOWED), `video.effects.frag.glsl` has its main.

out vec4 color;

// The R'G'B' of a pixel of the tile.
vec3 converted() {
    vec3 value = scaled();
#ifndef MATRIX_FIRST
    value = colorMatrix * value + colorOffset;
#endif
#ifdef CONVERTED
#ifndef LINEAR_LIGHT
    value = linearLight(value);
#endif
    value = shown(value);
#endif
    return value;
}

vec4 dithered(vec3 value) {
#ifdef DITHER
    value += vitrail_threshold(ivec2(pixel)) * DITHER;
#endif
    return vec4(value, 1.0);
}

#ifndef FOLLOWED
void main() {
    vec3 value = converted();
#ifdef CLAMPED
    value = clamp(value, 0.0, 1.0);
#endif
    color = dithered(value);
}
#endif
