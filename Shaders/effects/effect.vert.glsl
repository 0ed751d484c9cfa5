// The corners of a rectangle.

uniform vec4 vitrail_destination;  // Left, top, right, bottom in clip space (-1 to 1).
uniform vec2 vitrail_size;         // Of the rectangle, in pixels of the target.

noperspective out vec2 vitrail_pixel;  // Position in the rectangle, from its upper left corner.

void main() {
    vec2 place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vitrail_pixel = place * vitrail_size;
    gl_Position = vec4(mix(vitrail_destination.xy, vitrail_destination.zw, place), 0.0, 1.0);
}
