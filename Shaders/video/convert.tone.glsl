// Tone mapping from HDR to SDR: the curve of BT.2390-10, clause 5.4.1, applied to the brightest of R, G and B, with all
// three scaled alike. Takes linear light, 1 for white; returns at most 1. The uniforms are values of Swift's ToneCurve.

uniform vec2 toneRange;  // PQ code value of the source's black; the distance from there to that of its peak.
uniform vec3 toneShape;  // Where compression begins, the target's peak, its black: relative to that range.

vec3 toneMapped(vec3 light) {
    float knee = toneShape.x;
    float brightest = max(max(light.r, light.g), light.b);
    // PQ has no code values below this, and the ratio of two such numbers would be noise.
    float floored = max(brightest, 1e-7);
    float source = clamp((pqCode(vec3(floored)).x - toneRange.x) / toneRange.y, 0.0, 1.0);
    // Without compression the knee is 1, and the spline is not used.
    float t = max(source - knee, 0.0) / max(1.0 - knee, 1e-6);
    float spline = (2.0 * t * t * t - 3.0 * t * t + 1.0) * knee + (t * t * t - 2.0 * t * t + t) * (1.0 - knee)
        + (3.0 * t * t - 2.0 * t * t * t) * toneShape.y;
    float compressed = source < knee ? source : spline;
    float rest = 1.0 - compressed;
    float lifted = compressed + toneShape.z * (rest * rest) * (rest * rest);
    float mapped = min(pqLight(vec3(lifted * toneRange.y + toneRange.x)).x, 1.0);
    return light * (mapped / floored);
}
