//! name Plain luma
//! about The frame's own Y' with neutral chroma, as the black-and-white renderer of OpenTok's samples shows it.

// It comes from the frame, so earlier effects of a chain do not show, and HDR is not tone mapped. Of an RGB frame it is
// the Rec. 709 luma. It reads the frame's code values, so it is not folded into the conversion.
vec4 effect(vec2 uv) { return vec4(vec3(clamp(planesLuma(uv), 0.0, 1.0)), planes(uv).a); }
