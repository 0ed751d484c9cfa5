// From the primaries and the transfer function of a picture to the target's, in two steps, so that what is averaged
// between them is averaged in linear light. `primaries`, SOURCE_LIGHT, TARGET_CODE and TONE_MAPPED are constants that the
// renderer writes before this file; `transfer.glsl` has the formulas.

// The source's R'G'B', 0 to 1 and a little beyond, to light in the source's primaries, 1 for white.
vec3 linearLight(vec3 code) { return SOURCE_LIGHT(code); }

// Light in the source's primaries to the target's R'G'B', 0 to 1; what it cannot show is clipped.
vec3 shown(vec3 light) {
    vec3 inPrimaries = primaries * TONE_MAPPED(light);
    return TARGET_CODE(inPrimaries);
}
