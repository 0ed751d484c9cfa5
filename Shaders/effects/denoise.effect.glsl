//! name Denoise
//! about Recursive temporal filter: where little has changed, the previous result is kept for a share.
//! param strength float 0 0.95 0.8 "Share of the previous picture"
//! param threshold float 0 0.5 0.06 "Difference that is motion"

// The mean of a pixel and its neighbours with the weights 1 2 1 on each axis, which has less noise: four linear reads.
vec3 around(vec2 uv) {
    vec2 d = 0.5 / resolution, e = vec2(d.x, -d.y);
    return 0.25 * (sample(uv - d) + sample(uv + d) + sample(uv - e) + sample(uv + e)).rgb;
}
vec3 aroundPrevious(vec2 uv) {
    vec2 d = 0.5 / resolution, e = vec2(d.x, -d.y);
    return 0.25 * (previous(uv - d) + previous(uv + d) + previous(uv - e) + previous(uv + e)).rgb;
}

vec4 effect(vec2 uv) {
    vec3 change = abs(around(uv) - aroundPrevious(uv));
    float most = max(change.r, max(change.g, change.b));
    float kept = strength * (1.0 - smoothstep(0.5, 1.0, most / max(threshold, 1e-6)));
    return mix(sample(uv), previous(uv), kept);
}
