// Scaling with a kernel takes two passes, since a software driver ends a shader's loops after 65,535 turns, and because
// two loops after each other are shorter than one in the other. This is the first: every row of the visible part
// becomes as wide as it is on the target.
// The renderer defines RADIUS and kernel(x), a function of the distance in samples. PAIRED, for a tent, reads two
// neighbouring samples with one access, at the position between them where the texture unit weights them like the tent.

out vec4 color;

void main() {
    vec2 center = sourcePosition();
    float reach = RADIUS * picture.reduction;
    float last = center.x + reach;
    vec3 sum = vec3(0.0);
    float total = 0.0;
#ifdef PAIRED
    for (float x = ceil(center.x - reach - 0.5) + 0.5; x < last; x += 2.0) {
        vec2 weights = max(vec2(0.0), 1.0 - abs(vec2(x, x + 1.0) - center.x) / picture.reduction);
        float weight = weights.x + weights.y;
        sum += weight * pixelAt(vec2(x + weights.y / max(weight, 1e-6), center.y));
        total += weight;
    }
#else
    for (float x = ceil(center.x - reach - 0.5) + 0.5; x < last; x += 1.0) {
        float weight = kernel(abs(x - center.x) / picture.reduction);
        sum += weight * pixelAt(vec2(x, center.y));
        total += weight;
    }
#endif
    color = vec4(sum / total, 1.0);
}
