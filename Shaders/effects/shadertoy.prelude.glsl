// What a Shadertoy image shader finds: its uniforms, and the stream in iChannel0. Its y is upwards.

#ifdef GL_ES
#define sample vitrail_sample  // A reserved word there.
#endif
uniform vec3 iResolution;            // The size of the picture in pixels; z is 1.
uniform float iTime;                 // Seconds.
uniform int iFrame;                  // Counts the frames of the stream, from 0.
uniform vec4 iMouse;                 // The mouse in pixels, in xy and in zw, as if pressed; zeros if it is elsewhere.
uniform vec4 iDate;                  // Year, month from 0, day, seconds of the day; without a window 0, 0, 0, iTime.
uniform vec3 iChannelResolution[4];  // Like iResolution.
uniform float iChannelTime[4];       // Like iTime.
const float iTimeDelta = 1.0 / 60.0;
const float iFrameRate = 60.0;
const float iSampleRate = 44100.0;

// All channels are the stream.
#define iChannel1 iChannel0
#define iChannel2 iChannel0
#define iChannel3 iChannel0

uniform sampler2D vitrail_source;

// The picture upside down, so that its first row is the lowest one.
vec4 iChannel0_pass(vec2 uv) { return clamp(texture(vitrail_source, vec2(uv.x, 1.0 - uv.y)), 0.0, 1.0); }
