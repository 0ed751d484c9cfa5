// Four neighbouring samples of a Y, Cb or Cr plane from an R'G'B' picture, one per component: each is the weighted mean
// of the pixels that share it. The picture's first row is texel row 0; at odd sizes the last pixels are repeated. Four
// samples per fragment, because a fragment costs a software rasterizer more than its arithmetic.
// `block` is a constant that the renderer prepends: 1 for luma, 2 for the chroma of 4:2:0.

uniform sampler2D picture;
uniform vec4 weights;  // A row of the matrix, and in w the offset.

out vec4 color;

float encode(ivec2 first, ivec2 last) {
    vec3 sum = vec3(0.0);
    for (int y = 0; y < block; y++) {
        for (int x = 0; x < block; x++) {
            sum += texelFetch(picture, min(first + ivec2(x, y), last), 0).rgb;
        }
    }
    return dot(sum, weights.rgb) / float(block * block) + weights.w;
}

void main() {
    ivec2 last = textureSize(picture, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * ivec2(4 * block, block);
    ivec2 next = ivec2(block, 0);
    color = vec4(
        encode(first, last), encode(first + next, last), encode(first + 2 * next, last),
        encode(first + 3 * next, last));
}
