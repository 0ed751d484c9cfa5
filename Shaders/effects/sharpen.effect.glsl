//! name Sharpen
//! about Unsharp mask: the difference from a Gaussian blur, less what is below the threshold (noise), is added.
//! param amount float 0 5 1 "Amount"
//! param radius float 0.5 16 3 "Radius in pixels; sigma is a third"
//! param threshold float 0 0.2 0.01 "Differences that are not sharpened"
//! param of choice luma,components luma "Sharpen"
//! pass across

// One linear read that covers the pixels k and k + 1: its position and its weight.
vec2 pair(float k) {
    vec2 x = vec2(k, k + 1.0);
    vec2 weights = exp(-4.5 * x * x / (radius * radius)) * step(abs(x), vec2(radius + 1e-3));
    float sum = weights.x + weights.y;
    return vec2(k + weights.y / max(sum, 1e-9), sum);
}

// Colours are averaged with their alpha as the weight, so that transparent pixels add no colour.
vec4 weighted(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 across_pass(vec2 uv) {
    vec4 sum = vec4(0.0);
    float total = 0.0, reach = floor(radius + 1e-3);
    for (float k = -reach; k <= reach; k += 2.0) {
        vec2 read = pair(k);
        sum += read.y * weighted(sample(uv + vec2(read.x / resolution.x, 0.0)));
        total += read.y;
    }
    return sum / total;
}

vec4 effect(vec2 uv) {
    vec4 sum = vec4(0.0);
    float reach = floor(radius + 1e-3);
    for (float k = -reach; k <= reach; k += 2.0) {
        vec2 read = pair(k);
        sum += read.y * texture(across, uv + vec2(0.0, read.x / resolution.y));
    }
    vec4 color = sample(uv);
    vec3 detail = color.rgb - sum.rgb / max(sum.a, 1e-4);
    if (of == of_luma) detail = vec3(luma(detail));
    detail = sign(detail) * max(abs(detail) - threshold, 0.0);
    return vec4(color.rgb + amount * detail, color.a);
}
