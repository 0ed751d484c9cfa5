// What every effect can use. An effect is one file with a function `vec4 effect(vec2 uv)`: the colour of the pixel at
// uv, which is 0 to 1 from the upper left corner of the picture as shown, y downwards. A colour is R'G'B' as the screen
// shows it and its opacity over black, 0 to 1, not premultiplied. `vitrail_` names are the renderer's.

uniform vec2 resolution;   // The size of what is drawn, in pixels: the picture, or one of the effect's own passes.
uniform vec2 pictureSize;  // The size of the picture as shown, in pixels; in a pass, too.
uniform float time;        // Seconds. An effect that uses it is drawn again and again, not only for new frames.
uniform int frameNumber;   // Counts the frames of the stream, from 0.
uniform vec2 mouse;        // The position of the mouse, like uv; (-1, -1) if it is elsewhere.

uniform sampler2D vitrail_source;
uniform sampler2D vitrail_previous;
uniform sampler2D vitrail_planes;
uniform bool vitrail_hasPrevious;
uniform vec4 vitrail_lumaOfPlanes;

#ifdef GL_ES
#define sample vitrail_sample  // A reserved word there.
#endif
// The picture before this effect, at any position; beyond its edges, the edge pixels are repeated.
vec4 sample(vec2 uv) { return clamp(texture(vitrail_source, uv), 0.0, 1.0); }

// What this effect returned for the previous frame; for the first one, sample(uv).
vec4 previous(vec2 uv) { return vitrail_hasPrevious ? texture(vitrail_previous, uv) : sample(uv); }

// The frame's own code values, before the colour conversion, divided by the largest one: Y, Cb and Cr, or R, G and B.
vec4 planes(vec2 uv) { return texture(vitrail_planes, uv); }

// The frame's own luma, 0 for black to 1 for white: Y with its range expanded; of an RGB frame, the Rec. 709 luma.
float planesLuma(vec2 uv) { return dot(vitrail_lumaOfPlanes, vec4(planes(uv).rgb, 1.0)); }

// Rec. 709 luma.
float luma(vec3 color) { return dot(color, vec3(0.2126, 0.7152, 0.0722)); }

// The input colour of this pixel, for an effect that is folded into the draw that makes its input.
vec4 vitrail_input;
vec4 vitrail_inputAt(vec2 uv) { return vitrail_input; }
