// I420: Y, Cb and Cr in planes of their own. Returns normalised samples, 0 to 1.

uniform sampler2D plane0;
uniform sampler2D plane1;
uniform sampler2D plane2;

vec3 samplePlanes(vec2 luma, vec2 chroma) {
    return vec3(texture(plane0, luma).r, texture(plane1, chroma).r, texture(plane2, chroma).r);
}
