//! name Wipe
//! about A split between this picture and another tile's, at a position and an angle.
//! param with tile 2 "Other tile"
//! param position float 0 1 0.5 "Position"
//! param angle float 0 360 0 "Angle in degrees: 0 has the other tile on the right, 90 below"
//! param line float 0 16 2 "Width of the line in pixels"
//! param tint color #FFFFFF "Colour of the line"

vec4 effect(vec2 uv) {
    vec2 direction = vec2(cos(radians(angle)), sin(radians(angle)));
    // Pixels beyond the split; at the positions 0 and 1 it lies with its line outside the picture.
    float extent = 0.5 * (dot(abs(direction), resolution) + line + 1.0);
    float beyond = dot((uv - 0.5) * resolution, direction) - (2.0 * position - 1.0) * extent;
    vec4 color = mix(sample(uv), with(uv), clamp(beyond + 0.5, 0.0, 1.0));
    float isLine = clamp(0.5 * line + 0.5 - abs(beyond), 0.0, 1.0) * step(0.001, line);
    return mix(color, vec4(tint, 1.0), isLine);
}
