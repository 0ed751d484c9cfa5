// Scaling with a kernel takes two passes, since a software driver ends a shader's loops after 65,535 turns, and because
// two loops after each other are shorter than one in the other. This is the first: every row of the visible part
// becomes as wide as it is on the target.
// The renderer defines RADIUS and kernel(x), a function of the distance in samples that is zero beyond the radius. Samples
// are weighted two at a time: the widest texture has 16,384, and a kernel six times as many. PAIRED reads both with one
// access, at the position between them where the texture unit weights them so. That is right for chroma, too, if none of
// its samples lies between the two. Those in the middle of the COLUMNS of pixels that share them (chromaShift 0) do: of
// two columns, pairs begin at the second one then, and of four, at the first.

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
