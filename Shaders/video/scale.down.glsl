// The second pass of scaling with a kernel: columns of the picture that `scale.across.frag.glsl` made. The source is that
// picture, one of its columns for each pixel of the target.

uniform sampler2D rows;

vec3 scaled() {
    vec2 center = sourcePosition();
    float reach = RADIUS * picture.reduction;
    float last = center.y + reach;
    int column = int(center.x);
    int lowest = textureSize(rows, 0).y - 1;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (float y = ceil(center.y - reach - 0.5) + 0.5; y < last; y += 1.0) {
        float weight = kernel(abs(y - center.y) / picture.reduction);
        sum += weight * texelFetch(rows, ivec2(column, clamp(int(floor(y)), 0, lowest)), 0).rgb;
        total += weight;
    }
    return sum / total;
}
