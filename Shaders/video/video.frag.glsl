// One pixel of a video picture: samples to R'G'B' with one matrix and one offset.
// `colorMatrix` and `colorOffset` are constants that the renderer writes before this file, made from Kr, Kb and range:
// a software rasteriser is a fifth faster with constants than with uniforms.

in vec2 lumaPosition;
in vec2 chromaPosition;
out vec4 color;

void main() {
    color = vec4(colorMatrix * samplePlanes(lumaPosition, chromaPosition) + colorOffset, 1.0);
}
