// One colour per pixel, the other two the mean of the nearest neighbours that have them. RED, defined by the renderer,
// is the position of red in a block of two by two. Beyond the edges the frame is reflected, so that pixels keep their
// colour. SMOOTH_LUMA weights four pixels by distance. Returns R, G, B, 0 to 1, and alpha.

float valueAt(ivec2 place) {
    ivec2 last = textureSize(plane0, 0) - 1;
    place = abs(place);
    place = last - abs(last - place);
    return texelFetch(plane0, clamp(place, ivec2(0), last), 0).r;
}

vec3 colorAt(ivec2 place) {
    place = clamp(place, ivec2(0), textureSize(plane0, 0) - 1);
    float own = valueAt(place);
    float beside = 0.5 * (valueAt(place - ivec2(1, 0)) + valueAt(place + ivec2(1, 0)));
    float above = 0.5 * (valueAt(place - ivec2(0, 1)) + valueAt(place + ivec2(0, 1)));
    ivec2 phase = (place + RED) & 1;
    if (phase.x != phase.y) {  // Green: red is beside it in a row that has red, above it otherwise.
        return phase.y == 0 ? vec3(beside, own, above) : vec3(above, own, beside);
    }
    float cross = 0.5 * (beside + above);
    float corners = 0.25
        * (valueAt(place + ivec2(-1, -1)) + valueAt(place + ivec2(1, -1)) + valueAt(place + ivec2(-1, 1))
            + valueAt(place + ivec2(1, 1)));
    return phase.x == 0 ? vec3(own, cross, corners) : vec3(corners, cross, own);
}

vec4 samplePlanes(vec2 luma, vec2 chroma) {
    luma *= vec2(textureSize(plane0, 0));
#ifdef SMOOTH_LUMA
    luma -= 0.5;
    ivec2 i = ivec2(floor(luma));
    vec2 a = fract(luma);
    return vec4(
        mix(mix(colorAt(i), colorAt(i + ivec2(1, 0)), a.x), mix(colorAt(i + ivec2(0, 1)), colorAt(i + ivec2(1, 1)), a.x),
            a.y),
        1.0);
#else
    return vec4(colorAt(ivec2(floor(luma))), 1.0);
#endif
}
