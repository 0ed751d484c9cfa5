//! name Sepia
//! about Brown tones of an old photograph: sepia() of W3C Filter Effects Module Level 1.
//! param amount float 0 1 1 "Amount"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec3 brown = vec3(
        dot(color.rgb, vec3(0.393, 0.769, 0.189)), dot(color.rgb, vec3(0.349, 0.686, 0.168)),
        dot(color.rgb, vec3(0.272, 0.534, 0.131)));
    return vec4(mix(color.rgb, brown, amount), color.a);
}
