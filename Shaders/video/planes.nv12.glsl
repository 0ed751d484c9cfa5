// NV12: Y in a plane of its own, Cb and Cr interleaved in the second. Returns normalised samples, 0 to 1.

uniform sampler2D plane0;
uniform sampler2D plane1;

vec3 samplePlanes(vec2 luma, vec2 chroma) {
    return vec3(texture(plane0, luma).r, texture(plane1, chroma).rg);
}
