// Text: the first plane is the coverage, 0 to 1. Writes premultiplied colour, for premultiplied-alpha blending.

uniform sampler2D plane0;
uniform vec4 ink;    // Colour and alpha of the letters, 0 to 1, not premultiplied.
uniform vec4 paper;  // The same for their background.

in vec2 lumaPosition;
out vec4 color;

void main() {
    vec4 letters = vec4(ink.rgb * ink.a, ink.a) * texture(plane0, lumaPosition).r;
    color = letters + vec4(paper.rgb * paper.a, paper.a) * (1.0 - letters.a);
}
