//! name Pixelate
//! about Blocks of the mean of their pixels; in blocks wider than 32 pixels, of 16 pairs of pixels on each axis.
//! param size int 1 256 16 "Width of a block in pixels"
//! pass across

// The start and the length of the pixel's block, clipped to the picture, in pixels.
vec2 block(float pixel, float side) {
    float start = floor(pixel / float(size)) * float(size);
    return vec2(start, min(float(size), side - start));
}

// Part i of n of a block: its middle and its length, in whole pixels. A linear read between two pixels is their mean.
vec2 part(vec2 block, float i, float n) {
    float start = floor(block.y * i / n), end = floor(block.y * (i + 1.0) / n);
    return vec2(block.x + 0.5 * (start + end), end - start);
}

vec4 across_pass(vec2 uv) {
    vec2 whole = block(uv.x * resolution.x, resolution.x);
    vec4 sum = vec4(0.0);
    float n = min(ceil(whole.y / 2.0), 16.0);
    for (float i = 0.0; i < n; i += 1.0) {
        vec2 read = part(whole, i, n);
        sum += read.y * sample(vec2(read.x / resolution.x, uv.y));
    }
    return sum / whole.y;
}

vec4 effect(vec2 uv) {
    vec2 whole = block(uv.y * resolution.y, resolution.y);
    vec4 sum = vec4(0.0);
    float n = min(ceil(whole.y / 2.0), 16.0);
    for (float i = 0.0; i < n; i += 1.0) {
        vec2 read = part(whole, i, n);
        sum += read.y * texture(across, vec2(uv.x, read.x / resolution.y));
    }
    return sum / whole.y;
}
