// Conversion from a frame's primaries and transfer function to the target's, in two steps, so that averaging between
// them is in linear light. `primaries`, SOURCE_LIGHT, TARGET_CODE and TONE_MAPPED are constants that the renderer
// prepends; `transfer.glsl` has the formulas.

// The source's R'G'B', 0 to 1 and slightly beyond, to light in the source's primaries, 1 for white.
vec3 linearLight(vec3 code) { return SOURCE_LIGHT(code); }

// Light in the source's primaries to the target's R'G'B', clamped to 0 to 1.
vec3 shown(vec3 light) {
    vec3 inPrimaries = primaries * TONE_MAPPED(light);
    return TARGET_CODE(inPrimaries);
}
