// Draws an effect or one of its passes. The renderer defines FUNCTION, the function that computes it; FOLLOWED, if others
// are folded into this draw; SHOWN, if this is the end of the chain; and DITHER as in `video.frag.glsl`.

uniform vec2 vitrail_size;  // As in `effect.vert.glsl`.

noperspective in vec2 vitrail_pixel;
out vec4 vitrail_color;

#ifdef DITHER
// A Bayer matrix of eight by eight from the bits of the position in the rectangle, -0.5 to 0.5.
float vitrail_threshold(ivec2 place) {
    int x = place.x;
    int y = place.x ^ place.y;
    int value = (y & 1) << 5 | (x & 1) << 4 | (y & 2) << 2 | (x & 2) << 1 | (y & 4) >> 1 | (x & 4) >> 2;
    return (float(value) + 0.5) / 64.0 - 0.5;
}
#endif

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
