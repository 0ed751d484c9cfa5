//! name Vectorscope
//! about Cb to the right and Cr upwards (Rec. 709), with boxes for the six colours of 75 % bars.
//! param show choice fill,overlay fill "Shown"
//! param gain float 0.1 10 1 "Brightness of the trace"
//! pass counts size 257x257 points 512x288

vec2 chroma(vec3 color) { return (color.br - luma(color)) / vec2(1.8556, 1.5748); }

// Gray falls on the centre of the middle texel.
vec4 counts_pass(vec2 uv) { return vec4(1.0); }
vec2 counts_place(vec2 uv) { return 0.5 + vec2(254.0, -254.0) / 257.0 * chroma(sample(uv).rgb); }

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    bool isOverlay = show == show_overlay;
    // A square at the lower right, or as large as fits.
    float side = min(resolution.x, resolution.y) * (isOverlay ? 0.45 : 1.0);
    vec2 pixel = uv * resolution - (isOverlay ? resolution - 1.05 * side : 0.5 * (resolution - side));
    vec2 place = pixel / side;
    float isInside = step(abs(place.x - 0.5), 0.5) * step(abs(place.y - 0.5), 0.5);
    vec2 at = (place - 0.5) * vec2(257.0, -257.0) / 254.0;
    float scale = side * 254.0 / 257.0;

    float count = texture(counts, place).r;
    vec2 redBlue = 0.6 + vec2(1.5748 * at.y, 1.8556 * at.x);
    vec3 ink = clamp(vec3(redBlue.x, (0.6 - dot(redBlue, vec2(0.2126, 0.0722))) / 0.7152, redBlue.y), 0.0, 1.0);
    vec3 trace = ink * (1.0 - exp(-gain * count / 8.0));

    // Lines one pixel wide: the axes, a circle around everything, and the boxes.
    float pixels = min(min(abs(at.x), abs(at.y)), abs(length(at) - 0.5)) * scale;
    for (int i = 1; i < 7; i++) {
        vec2 target = chroma(0.75 * vec3(i & 1, i >> 1 & 1, i >> 2));
        vec2 distance = abs(at - target);
        pixels = min(pixels, abs(max(distance.x, distance.y) - 0.025) * scale);
    }
    trace = max(trace, vec3(0.35) * clamp(1.0 - pixels, 0.0, 1.0));
    vec3 below = isOverlay ? 0.25 * color.rgb : vec3(0.0);
    return vec4(mix(isOverlay ? color.rgb : vec3(0.0), below + trace, isInside), color.a);
}
