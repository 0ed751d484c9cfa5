// Scaling with a kernel over luma samples, widened by the reduction; chroma is sampled by the texture unit at the same
// positions. The renderer defines RADIUS and kernel(x), a function of the distance in samples.

uniform vec2 lumaScale;    // From luma pixels to texture coordinates.
uniform vec2 chromaScale;  // The same for chroma.
uniform vec2 chromaShift;  // Luma pixels to add for the chroma siting.
uniform vec2 reduction;    // Source pixels per target pixel, at least 1.

vec4 scaled() {
    vec2 center = lumaPosition / lumaScale;
    vec2 reach = RADIUS * reduction;
    vec2 first = ceil(center - reach - 0.5) + 0.5;
    vec2 last = center + reach;
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (float y = first.y; y < last.y; y += 1.0) {
        float row = kernel(abs(y - center.y) / reduction.y);
        for (float x = first.x; x < last.x; x += 1.0) {
            float weight = row * kernel(abs(x - center.x) / reduction.x);
            vec2 place = vec2(x, y);
            sum += weight * pixelAt(place * lumaScale, (place + chromaShift) * chromaScale);
            total += weight;
        }
    }
    return sum / total;
}
