//! name CRT
//! about A tube's bulge, the gaps between its scan lines, and the stripes or slots of its mask.
//! param lines int 60 1080 240 "Scan lines"
//! param gaps float 0 1 0.5 "Darkness between scan lines"
//! param mask choice none,stripes,slots stripes "Mask"
//! param darkness float 0 1 0.3 "Darkness of the mask"
//! param curvature float 0 0.5 0.1 "Curvature"

vec4 effect(vec2 uv) {
    vec2 p = 2.0 * uv - 1.0;
    p *= 1.0 + curvature * (p * p).yx;
    vec2 place = 0.5 + 0.5 * p;
    vec4 color = sample(place);
    // Scan lines that are as fine as pixels would flicker: no gaps then.
    float height = resolution.y / float(lines);
    float between = 0.5 + 0.5 * cos(radians(360.0) * place.y * float(lines));
    color.rgb *= 1.0 - gaps * clamp(height - 1.0, 0.0, 1.0) * between;
    if (mask != mask_none) {
        // Three pixels wide; each second group of slots is half a slot lower.
        vec2 pixel = floor(uv * resolution);
        float group = floor(pixel.x / 3.0), lower = mod(group, 2.0) * 2.0;
        vec3 isLit = step(abs(vec3(0.0, 1.0, 2.0) - (pixel.x - 3.0 * group)), vec3(0.5));
        if (mask == mask_slots) isLit *= step(0.5, mod(pixel.y + lower, 4.0));
        color.rgb *= 1.0 - darkness * (1.0 - isLit);
    }
    // The tube's border, antialiased over one pixel.
    vec2 inside = clamp((1.0 - abs(p)) * 0.5 * resolution + 0.5, 0.0, 1.0);
    return vec4(color.rgb * inside.x * inside.y, color.a);
}
