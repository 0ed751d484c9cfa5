//! name Privacy mask
//! about Hides a rectangle: black, or the means of a few large blocks, the same blocks in a tile of any size.
//! param first point 0.3 0.2 "A corner"
//! param second point 0.7 0.6 "The opposite corner"
//! param style choice black,pixelate black "Style"
//! param blocks int 1 32 6 "Blocks along the longer side"
//! pass mosaic size 32x32

// The number of blocks along each side: whole blocks only, as square as possible.
vec2 blockCount() {
    vec2 sides = max(abs(second - first) * pictureSize, 1e-3);
    return max(floor(sides * float(blocks) / max(sides.x, sides.y) + 0.5), 1.0);
}

// The mean of a block, from 16 by 16 samples.
vec4 mosaic_pass(vec2 uv) {
    vec2 block = floor(uv * resolution);
    vec2 count = blockCount();
    if (style != style_pixelate || block.x >= count.x || block.y >= count.y) return vec4(0.0);
    vec4 sum = vec4(0.0);
    for (int row = 0; row < 16; row++) {
        for (int column = 0; column < 16; column++) {
            vec2 place = (block + (vec2(column, row) + 0.5) / 16.0) / count;
            sum += sample(mix(min(first, second), max(first, second), place));
        }
    }
    return sum / 256.0;
}

vec4 effect(vec2 uv) {
    // Pixels that an edge crosses are covered, too. An edge is often in the middle of a pixel, at a half or a third of
    // the picture, where a GPU's rounding would decide; it is never 0.49 pixels beside it.
    vec2 edge = 0.49 / pictureSize;
    vec2 lowest = min(first, second);
    vec2 highest = max(first, second);
    if (any(lessThan(uv, lowest - edge)) || any(greaterThanEqual(uv, highest + edge))) return sample(uv);
    if (style == style_black) return vec4(0.0, 0.0, 0.0, 1.0);
    // The same for the borders of blocks.
    vec2 count = blockCount();
    vec2 block = (uv - lowest) / max(highest - lowest, 1e-6) * count + 1e-4;
    return texelFetch(mosaic, ivec2(clamp(block, vec2(0.0), count - 1.0)), 0);
}
