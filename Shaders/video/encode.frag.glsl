// Neighbouring samples of a Y, Cb or Cr plane from an R'G'B' picture: each is the weighted mean of the pixels that share
// it. The picture's first row is texel row 0; at odd sizes the last pixels are repeated. A fragment has four bytes: four
// samples of 8 bits, or two words of more bits, the low byte first. A fragment costs a software rasterizer more than its
// arithmetic.
// The renderer prepends constants: `block` is 1 for luma, 2 for the chroma of 4:2:0; `peak` is the largest code value;
// `clamps` says whether pixels may be beyond black and white.

uniform sampler2D picture;
uniform vec4 weights;  // A row of the matrix, and in w the offset.

out vec4 color;

float encode(ivec2 first, ivec2 last) {
    vec3 sum = vec3(0.0);
    for (int y = 0; y < block; y++) {
        for (int x = 0; x < block; x++) {
            vec3 texel = texelFetch(picture, min(first + ivec2(x, y), last), 0).rgb;
            sum += clamps ? clamp(texel, 0.0, 1.0) : texel;
        }
    }
    return dot(sum, weights.rgb) / float(block * block) + weights.w;
}

// The bytes of a word, 0 to 1 each.
vec2 bytes(float value) {
    float level = floor(clamp(value, 0.0, 1.0) * peak + 0.5);
    float high = floor(level / 256.0);
    return vec2(level - 256.0 * high, high) / 255.0;
}

void main() {
    ivec2 last = textureSize(picture, 0) - 1;
    ivec2 next = ivec2(block, 0);
    if (peak > 255.0) {
        ivec2 first = ivec2(gl_FragCoord.xy) * ivec2(2 * block, block);
        color = vec4(bytes(encode(first, last)), bytes(encode(first + next, last)));
        return;
    }
    ivec2 first = ivec2(gl_FragCoord.xy) * ivec2(4 * block, block);
    color = vec4(
        encode(first, last), encode(first + next, last), encode(first + 2 * next, last),
        encode(first + 3 * next, last));
}
