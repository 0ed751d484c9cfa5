// Dithering of less than one code value that keeps the mean; DITHER is the step between two. The threshold is an entry
// of a Bayer matrix of eight by eight, from the bits of the position in the rectangle: -0.5 to 0.5.

float vitrail_threshold(ivec2 place) {
    int x = place.x;
    int y = place.x ^ place.y;
    int value = (y & 1) << 5 | (x & 1) << 4 | (y & 2) << 2 | (x & 2) << 1 | (y & 4) >> 1 | (x & 4) >> 2;
    return (float(value) + 0.5) / 64.0 - 0.5;
}
