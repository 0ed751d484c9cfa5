// The position in the source of a pixel of the target, in pixels, y downwards; rotation, mirror and crop are in the
// vectors. It depends only on which pixel of its rectangle this is, so that equal streams give equal tiles, in a window
// and in a picture: the last bits of what the rasterizer interpolates depend on the place of the rectangle. (Those of
// gl_FragCoord do not, but Mesa 22.3 sometimes has its y upside down after a change from a window to a picture.)

noperspective in vec2 pixel;  // Described in `picture.vert.glsl`, like the rest.
in Picture {
    flat vec2 origin;
    flat vec2 perColumn;
    flat vec2 perRow;
    flat vec2 lumaScale;
    flat vec2 chromaScale;
    flat vec2 chromaShift;
    flat vec4 bounds;
    flat vec4 chromaBounds;
    flat float reduction;
} picture;

vec2 sourcePosition() {
    vec2 center = floor(pixel) + 0.5;
    return picture.origin + center.x * picture.perColumn + center.y * picture.perRow;
}
