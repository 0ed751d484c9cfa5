//! name Chroma key
//! about Removes what is near a colour in Cb, Cr of ITU-R BT.709, and the light that it casts on the rest.
//! param key color #00FF00 "Key colour"
//! param tolerance float 0 1 0.3 "Tolerance: how near in Cb, Cr is removed"
//! param softness float 0 1 0.1 "Softness: how much farther the edge ends"
//! param spill float 0 1 1 "Spill suppression"
//! param background color #203040 "Background colour"
//! param show choice background,transparent,matte background "Show"

// Cb and Cr of BT.709, -0.5 to 0.5.
vec2 chromaOf(vec3 color) { return (color.br - luma(color)) / vec2(1.8556, 1.5748); }

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec2 chroma = chromaOf(color.rgb);
    vec2 keyChroma = chromaOf(key);
    float share = clamp((distance(chroma, keyChroma) - tolerance) / max(softness, 1e-4), 0.0, 1.0);

    // Spill is chroma within 45 degrees of the key's hue, as far as it exceeds that limit. A gray key has no spill.
    vec2 direction = keyChroma / max(length(keyChroma), 1e-6);
    float along = dot(chroma, direction);
    float across = chroma.x * direction.y - chroma.y * direction.x;
    vec2 removed = spill * max(along - abs(across), 0.0) * direction;
    // Luma stays: green makes up for what red and blue lose.
    vec3 change = vec3(1.5748 * removed.y, 0.0, 1.8556 * removed.x);
    change.g = -(0.2126 * change.r + 0.0722 * change.b) / 0.7152;
    vec3 clean = clamp(color.rgb - change, 0.0, 1.0);

    vec4 shown = vec4(mix(background, clean, share), color.a);
    shown = show == show_transparent ? vec4(clean, color.a * share) : shown;
    return show == show_matte ? vec4(vec3(share), 1.0) : shown;
}
