// The corners of a rectangle. What fragments need to know of the frame passes through here, too: Mesa's software
// drivers read a flat input faster than a uniform (a 1080p frame is drawn in two thirds of the time).

uniform vec4 destination;   // Left, top, right, bottom in clip space (-1 to 1).
uniform vec2 size;          // Of the rectangle, in pixels of the target.
uniform vec2 origin;        // Source position of its upper left corner, in pixels, y downwards.
uniform vec2 perColumn;     // From a column of the target to the one on its right, in source pixels.
uniform vec2 perRow;        // From a row of the target to the one below, in source pixels.
uniform vec2 lumaScale;     // From luma pixels to texture coordinates (0 to 1) of the first plane.
uniform vec2 chromaScale;   // The same for the chroma planes, whose size is rounded up.
uniform vec2 chromaShift;   // Texture coordinates to add for the chroma siting.
uniform vec4 bounds;        // Smallest x and y, largest x and y: the centres of the outermost visible pixels.
uniform vec4 chromaBounds;  // The same of chroma samples, in texture coordinates.
uniform float reduction;    // Source pixels per target pixel, at least 1, in the direction of the pass.

noperspective out vec2 pixel;  // Position in the rectangle, from its upper left corner.
flat out vec2 pictureOrigin;
flat out vec2 picturePerColumn;
flat out vec2 picturePerRow;
flat out vec2 pictureLumaScale;
flat out vec2 pictureChromaScale;
flat out vec2 pictureChromaShift;
flat out vec4 pictureBounds;
flat out vec4 pictureChromaBounds;
flat out float pictureReduction;

void main() {
    pictureOrigin = origin;
    picturePerColumn = perColumn;
    picturePerRow = perRow;
    pictureLumaScale = lumaScale;
    pictureChromaScale = chromaScale;
    pictureChromaShift = chromaShift;
    pictureBounds = bounds;
    pictureChromaBounds = chromaBounds;
    pictureReduction = reduction;
    vec2 place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    pixel = place * size;
    gl_Position = vec4(mix(destination.xy, destination.zw, place), 0.0, 1.0);
}
