//! name False colour
//! about Exposure zones by Rec. 709 luma in the colours and levels of ARRI's ALEXA cameras; the rest is gray.
//! param rest choice gray,color gray "The rest"

//   luma          zone                          colour
//   0    - 2.5 %  black clipping                purple
//   2.5  - 4 %    just above black clipping     blue
//   38   - 42 %   medium gray (18 %)            green
//   52   - 56 %   one stop above medium gray    pink
//   97   - 99 %   just below white clipping     yellow
//   99   - 100 %  white clipping                red
// A level on a limit belongs to the zone above it.

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    float y = luma(color.rgb);
    vec3 other = mix(vec3(y), color.rgb, float(rest == rest_color));
    vec3 zone = vec3(0.5, 0.0, 0.75);
    zone = mix(zone, vec3(0.0, 0.25, 1.0), step(0.025, y));
    zone = mix(zone, other, step(0.04, y));
    zone = mix(zone, vec3(0.2, 0.75, 0.2), step(0.38, y));
    zone = mix(zone, other, step(0.42, y));
    zone = mix(zone, vec3(1.0, 0.6, 0.7), step(0.52, y));
    zone = mix(zone, other, step(0.56, y));
    zone = mix(zone, vec3(1.0, 1.0, 0.0), step(0.97, y));
    zone = mix(zone, vec3(1.0, 0.0, 0.0), step(0.99, y));
    return vec4(zone, color.a);
}
