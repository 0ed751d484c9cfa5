// Draws an effect or one of its passes. The renderer defines FUNCTION, the function that computes it; FOLLOWED, if
// others are folded into this draw; SHOWN, if this is the end of the chain; and DITHER as in `video.frag.glsl`.

uniform vec2 vitrail_size;  // As in `effect.vert.glsl`.

noperspective in vec2 vitrail_pixel;
out vec4 vitrail_color;

void main() {
    vec2 place = floor(vitrail_pixel);
    vec2 uv = (place + 0.5) / vitrail_size;
    vec4 value = FUNCTION(uv);
#ifdef FOLLOWED
    value = vitrail_followed(value, uv);
#endif
#ifdef SHOWN
    value = clamp(value, 0.0, 1.0);
    value = vec4(value.rgb * value.a, 1.0);
#ifdef DITHER
    value.rgb += vitrail_threshold(ivec2(place)) * DITHER;
#endif
#endif
    vitrail_color = value;
}
