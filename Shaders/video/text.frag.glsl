// Text: the first plane is the coverage, 0 to 1. Writes premultiplied colour, for premultiplied-alpha blending.

uniform sampler2D plane0;
uniform vec4 textColor;   // Colour and alpha of the letters, 0 to 1, not premultiplied.
uniform vec4 background;  // The same for what is behind them.

out vec4 color;

void main() {
    float coverage = texture(plane0, sourcePosition() * pictureLumaScale).r;
    vec4 letters = vec4(textColor.rgb * textColor.a, textColor.a) * coverage;
    color = letters + vec4(background.rgb * background.a, background.a) * (1.0 - letters.a);
}
