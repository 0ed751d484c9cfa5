// Scaling with a kernel takes two passes: two successive loops need fewer iterations than two nested ones, and a
// software driver ends a shader's loops after 65,535 iterations. This is the first pass: every row of the visible part
// becomes as wide as it is on the target.
// The renderer defines RADIUS and kernel(x), a function of the distance in samples that is zero beyond the radius. The
// loop weights two samples in each iteration to stay below that limit: a row of the widest texture has 16,384 samples,
// and a kernel may span six times as many. PAIRED reads both with one access, at the position between them where the
// texture unit weights them correctly. That is right for chroma, too, if no chroma sample lies between the two. One
// does if chroma samples are in the middle of the COLUMNS luma columns that share them (chromaShift 0): pairs then
// begin at the second of two columns, or at the first of four.

out vec4 color;

void main() {
    vec2 center = sourcePosition();
    float reach = RADIUS * pictureReduction;
    float last = center.x + reach;
    float first = ceil(center.x - reach - 0.5);
#if defined(PAIRED) && COLUMNS > 1
    first -= pictureChromaShift.x == 0.0 ? mod(first + (COLUMNS == 2 ? 1.0 : 0.0), 2.0) : 0.0;
#endif
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (float x = first + 0.5; x < last; x += 2.0) {
        vec2 distances = abs(vec2(x, x + 1.0) - center.x) / pictureReduction;
        vec2 weights = vec2(kernel(distances.x), kernel(distances.y));
        float weight = weights.x + weights.y;
#ifdef PAIRED
        sum += weight * pixelAt(vec2(x + weights.y / max(weight, 1e-6), center.y));
#else
        sum += weights.x * pixelAt(vec2(x, center.y)) + weights.y * pixelAt(vec2(x + 1.0, center.y));
#endif
        total += weight;
    }
    color = vec4(sum / total, 1.0);
}
