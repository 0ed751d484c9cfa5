// A pixel of a video frame, as `video.frag.glsl` computes it, with the effects that are folded into the draw. The
// renderer defines SHOWN if this is the end of the chain.

void main() {
    vec4 value = vitrail_followed(vec4(converted(), 1.0), (floor(pixel) + 0.5) / resolution);
#ifdef SHOWN
    color = dithered(value.rgb * value.a);
#else
    color = value;
#endif
}
