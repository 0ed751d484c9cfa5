//! name Histogram
//! about How many of 57,600 points have each of 256 values of luma, or of R', G' and B'.
//! param of choice luma,components luma "Histogram of"
//! param show choice fill,overlay fill "Shown"
//! param scale choice linear,root linear "Heights"
//! pass counts size 256x4 points 320x720
//! pass most size 1x1

// Each quarter of the points samples the whole picture, for luma, R', G' or B', and has its own row of bins.
vec4 counts_pass(vec2 uv) { return vec4(1.0); }
vec2 counts_place(vec2 uv) {
    int part = int(4.0 * uv.y);
    vec3 color = sample(vec2(uv.x, fract(4.0 * uv.y))).rgb;
    float value = part == 0 ? luma(color) : color[max(part - 1, 0)];
    return vec2((floor(255.0 * clamp(value, 0.0, 1.0) + 0.5) + 0.5) / 256.0, (float(part) + 0.5) / 4.0);
}

vec4 most_pass(vec2 uv) {
    float highest = 1.0;
    int first = of == of_luma ? 0 : 1, last = of == of_luma ? 0 : 3;
    for (int row = first; row <= last; row++) {
        for (int bin = 0; bin < 256; bin++) highest = max(highest, texelFetch(counts, ivec2(bin, row), 0).r);
    }
    return vec4(highest);
}

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec2 part = show == show_overlay ? vec2(0.45) : vec2(1.0);
    vec2 place = show == show_overlay ? (uv - 0.53) / part : uv;
    vec2 border = step(abs(place - 0.5), vec2(0.5));
    int bin = clamp(int(floor(256.0 * place.x)), 0, 255);
    vec3 height = vec3(texelFetch(counts, ivec2(bin, 0), 0).r);
    if (of == of_components) {
        for (int i = 0; i < 3; i++) height[i] = texelFetch(counts, ivec2(bin, 1 + i), 0).r;
    }
    height /= texelFetch(most, ivec2(0), 0).r;
    if (scale == scale_root) height = sqrt(height);
    // The upper end of a bar is antialiased over one pixel.
    vec3 bar = clamp((height - 1.0 + place.y) * part.y * resolution.y + 0.5, 0.0, 1.0) * step(1e-6, height);
    vec3 below = show == show_overlay ? 0.25 * color.rgb : vec3(0.0);
    return vec4(mix(color.rgb, below + 0.8 * bar, border.x * border.y), color.a);
}
