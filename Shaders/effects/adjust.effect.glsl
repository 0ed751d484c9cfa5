//! name Adjust
//! about Brightness, contrast about mid-gray, saturation and hue: luma and chroma of ITU-R BT.709, item 3.
//! param brightness float -1 1 0 "Brightness"
//! param contrast float 0 3 1.2 "Contrast"
//! param saturation float 0 3 1.4 "Saturation"
//! param hue float -180 180 0 "Hue (degrees)"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    float y = luma(color.rgb);
    vec2 chroma = saturation * (color.br - y) / vec2(1.8556, 1.5748);  // Cb, Cr
    // Positive angles turn red towards yellow.
    float angle = radians(hue);
    chroma = vec2(
        cos(angle) * chroma.x - sin(angle) * chroma.y, sin(angle) * chroma.x + cos(angle) * chroma.y);
    float blue = y + 1.8556 * chroma.x;
    float red = y + 1.5748 * chroma.y;
    float green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152;
    return vec4((vec3(red, green, blue) - 0.5) * contrast + 0.5 + brightness, color.a);
}
