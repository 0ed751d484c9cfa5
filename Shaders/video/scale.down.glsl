// The second pass of scaling with a kernel: scales the columns of the picture that `scale.across.frag.glsl` made, which
// has one column for each pixel of the target.

uniform sampler2D rows;

vec3 scaled() {
    vec2 center = sourcePosition();
    float reach = RADIUS * pictureReduction;
    float last = center.y + reach;
    int column = int(center.x);
    int lowest = textureSize(rows, 0).y - 1;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (float y = ceil(center.y - reach - 0.5) + 0.5; y < last; y += 2.0) {
        vec2 distances = abs(vec2(y, y + 1.0) - center.y) / pictureReduction;
        vec2 weights = vec2(kernel(distances.x), kernel(distances.y));
        ivec2 two = clamp(ivec2(floor(y)) + ivec2(0, 1), 0, lowest);
        sum += weights.x * texelFetch(rows, ivec2(column, two.x), 0).rgb;
        sum += weights.y * texelFetch(rows, ivec2(column, two.y), 0).rgb;
        total += weights.x + weights.y;
    }
    return sum / total;
}
