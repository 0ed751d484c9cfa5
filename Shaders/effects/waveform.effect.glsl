//! name Waveform
//! about Luma, or R', G' and B' side by side, from 0 at the bottom to 100 % at the top, below the place in the picture.
//! param of choice luma,parade luma "Waveform of"
//! param show choice fill,overlay fill "Shown"
//! param gain float 0.1 10 1 "Brightness of the trace"
//! pass counts size 768x256 points 768x256

vec4 counts_pass(vec2 uv) { return vec4(1.0); }
vec2 counts_place(vec2 uv) {
    // In a parade, each third of the points samples the whole picture for its component.
    vec3 color = sample(of == of_parade ? vec2(fract(3.0 * uv.x), uv.y) : uv).rgb;
    float value = of == of_parade ? color[int(3.0 * uv.x)] : luma(color);
    return vec2(uv.x, (255.5 - floor(255.0 * clamp(value, 0.0, 1.0) + 0.5)) / 256.0);
}

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec2 part = show == show_overlay ? vec2(0.45) : vec2(1.0);
    vec2 place = show == show_overlay ? (uv - 0.53) / part : uv;
    vec2 border = step(abs(place - 0.5), vec2(0.5));
    // A margin of 3 % above and below, so that 0 and 100 % are seen.
    place.y = 0.5 + 1.06 * (place.y - 0.5);
    float count = texture(counts, place).r * step(abs(place.y - 0.5), 0.5);
    vec3 ink = of == of_parade ? vec3(equal(ivec3(0, 1, 2), ivec3(3.0 * place.x))) * 0.8 + 0.2 : vec3(0.6, 1.0, 0.6);
    vec3 trace = ink * (1.0 - exp(-gain * count / 8.0));
    // Lines one pixel wide at 0, 25, 50, 75 and 100 %.
    float quarters = (255.5 - 256.0 * place.y) / 255.0 * 4.0;
    float pixels = abs(quarters - clamp(floor(quarters + 0.5), 0.0, 4.0)) / 4.0 * part.y * resolution.y / 1.06;
    trace = max(trace, vec3(0.35) * clamp(1.0 - pixels, 0.0, 1.0));
    vec3 below = show == show_overlay ? 0.25 * color.rgb : vec3(0.0);
    return vec4(mix(color.rgb, below + trace, border.x * border.y), color.a);
}
