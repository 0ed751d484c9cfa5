// The position in the source of a pixel of the target, in pixels, y downwards; rotation, mirror and crop are in the
// vectors. It depends only on where in its rectangle the pixel is, so that equal streams give equal tiles: if the
// rasterizer interpolated it, its last bits would depend on the place of the rectangle.

in Picture {  // Described in `picture.vert.glsl`.
    flat vec2 corner;
    flat vec2 origin;
    flat vec2 perColumn;
    flat vec2 perRow;
    flat vec2 lumaScale;
    flat vec2 chromaScale;
    flat vec2 chromaShift;
    flat vec4 lumaBounds;
    flat vec4 chromaBounds;
    flat float reduction;
} picture;

vec2 sourcePosition() {
    vec2 pixel = gl_FragCoord.xy - picture.corner;
    return picture.origin + pixel.x * picture.perColumn + pixel.y * picture.perRow;
}
