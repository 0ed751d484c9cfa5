//! name Mirror
//! about One half of the picture mirrored onto the other, or the upper left quarter onto the other three.
//! param show choice left,right,top,bottom,quarter left "Part that is mirrored"

vec4 effect(vec2 uv) {
    vec2 first = 0.5 - abs(uv - 0.5);
    vec2 places[5] = vec2[5](
        vec2(first.x, uv.y), vec2(1.0 - first.x, uv.y), vec2(uv.x, first.y), vec2(uv.x, 1.0 - first.y), first);
    return sample(places[show]);
}
