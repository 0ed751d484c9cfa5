// Texels of one plane, spread evenly over it: the first and the last of rows and columns are among them.
// `side` is a constant that the renderer prepends: of the target, in pixels.

uniform sampler2D plane;

out vec4 color;

void main() {
    ivec2 last = textureSize(plane, 0) - 1;
    color = texelFetch(plane, ivec2(gl_FragCoord.xy) * last / (side - 1), 0);
}
