// Reduction without aliasing: a tent as wide as two target pixels. Two neighbouring samples are read with one access at
// the position between them where the texture unit weights them like the tent.

uniform vec2 lumaScale;    // From luma pixels to texture coordinates.
uniform vec2 chromaScale;  // The same for chroma.
uniform vec2 chromaShift;  // Luma pixels to add for the chroma siting.
uniform vec2 reduction;    // Source pixels per target pixel, at least 1.

vec4 scaled() {
    vec2 center = lumaPosition / lumaScale;
    vec2 first = ceil(center - reduction - 0.5) + 0.5;
    vec2 last = center + reduction;
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (float y = first.y; y < last.y; y += 2.0) {
        vec2 down = max(vec2(0.0), 1.0 - abs(vec2(y, y + 1.0) - center.y) / reduction.y);
        float row = down.x + down.y;
        if (row <= 0.0) { continue; }
        for (float x = first.x; x < last.x; x += 2.0) {
            vec2 right = max(vec2(0.0), 1.0 - abs(vec2(x, x + 1.0) - center.x) / reduction.x);
            float weight = (right.x + right.y) * row;
            if (weight <= 0.0) { continue; }
            vec2 place = vec2(x + right.y / (right.x + right.y), y + down.y / row);
            sum += weight * pixelAt(place * lumaScale, (place + chromaShift) * chromaScale);
            total += weight;
        }
    }
    return sum / total;
}
