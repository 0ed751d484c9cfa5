//! name Kaleidoscope
//! about Mirrors through a centre repeat one wedge of the picture, which goes on mirrored outside.
//! param segments int 1 24 6 "Mirrored pairs of wedges"
//! param angle float 0 360 0 "Angle of the wedge in degrees, clockwise from the right"
//! param center point 0.5 0.5 "Centre"

vec4 effect(vec2 uv) {
    vec2 p = (uv - center) * resolution;
    float turn = radians(angle), wedge = radians(360.0) / float(segments);
    float direction = atan(p.y, p.x + step(length(p), 0.0)) - turn;
    // The angle from the middle of the wedge, 0 to half the wedge.
    direction = abs(direction - wedge * floor(direction / wedge + 0.5)) + turn;
    vec2 place = center + length(p) * vec2(cos(direction), sin(direction)) / resolution;
    return sample(1.0 - abs(mod(place, 2.0) - 1.0));
}
