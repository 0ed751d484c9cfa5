//! name Zebra
//! about Stripes where Rec. 709 luma is between two levels: 95 to 100 % finds clipping, 65 to 75 % lit skin.
//! param low float 0 1 0.95 "From luma"
//! param high float 0 1 1 "To luma"
//! param width int 1 64 4 "Width of a stripe (pixels)"
//! param stripe color #000000 "Colour of the stripes"

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    float y = luma(color.rgb);
    // Half a code value of eight bits, so that a level typed as such is within.
    float inside = step(low - 0.002, y) * step(y, high + 0.002);
    vec2 pixel = floor(uv * resolution);
    float striped = mod(floor((pixel.x + pixel.y + 0.5) / float(width)), 2.0);
    return vec4(mix(color.rgb, stripe, inside * striped), color.a);
}
