// The position in the source of a pixel of the target, in pixels, y downwards; rotation, mirror and crop are in the
// vectors. It depends only on which pixel of its rectangle this is, so that equal streams give equal tiles, in a window
// and in a picture: the last bits of what the rasterizer interpolates depend on the place of the rectangle. (Those of
// gl_FragCoord do not, but Mesa 22.3 sometimes has its y upside down after a change from a window to a picture.)

noperspective in vec2 pixel;  // Described in `picture.vert.glsl`, like the rest.
flat in vec2 pictureOrigin;
flat in vec2 picturePerColumn;
flat in vec2 picturePerRow;
flat in vec2 pictureLumaScale;
flat in vec2 pictureChromaScale;
flat in vec2 pictureChromaShift;
flat in vec4 pictureBounds;
flat in vec4 pictureChromaBounds;
flat in float pictureReduction;

vec2 sourcePosition() {
    vec2 center = floor(pixel) + 0.5;
    return pictureOrigin + center.x * picturePerColumn + center.y * picturePerRow;
}
