// The corners of a rectangle, and the position in the source frame for each.
// `origin`, `right` and `down` contain rotation, mirror and crop, in pixels of the source frame, y downwards.

uniform vec4 destination;  // Left, top, right, bottom in clip space (-1 to 1).
uniform vec2 origin;       // Source position of the upper left corner on the target.
uniform vec2 right;        // From there to the upper right corner.
uniform vec2 down;         // From there to the lower left corner.
uniform vec2 lumaScale;    // From luma pixels to texture coordinates (0 to 1) of the first plane.
uniform vec2 chromaScale;  // The same for the chroma planes, whose size is rounded up.
uniform vec2 chromaShift;  // Luma pixels to add for the chroma siting.

out vec2 lumaPosition;
out vec2 chromaPosition;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 source = origin + corner.x * right + corner.y * down;
    lumaPosition = source * lumaScale;
    chromaPosition = (source + chromaShift) * chromaScale;
    gl_Position = vec4(mix(destination.xy, destination.zw, corner), 0.0, 1.0);
}
