// Code values to light and back, for every transfer function: light is 1 for SDR white, which is 203 cd/m2 (BT.2408).
// `...Light` takes any code value: values below zero are black, since a display emits no negative light. `...Code`
// takes any light and clamps it to code values 0 to 1. No function returns NaN for a finite argument: no power is taken
// of a negative number.

// BT.1886 with LW = 1 and LB = 0, and other powers.
vec3 powerLight(vec3 code, float gamma) { return pow(max(code, 0.0), vec3(gamma)); }

vec3 powerCode(vec3 light, float gamma) { return pow(clamp(light, 0.0, 1.0), vec3(1.0 / gamma)); }

// IEC 61966-2-1.
vec3 sRGBLight(vec3 code) {
    vec3 clipped = max(code, 0.0);
    return mix(pow((clipped + 0.055) / 1.055, vec3(2.4)), clipped / 12.92, lessThanEqual(clipped, vec3(0.04045)));
}

vec3 sRGBCode(vec3 light) {
    vec3 clipped = clamp(light, 0.0, 1.0);
    return mix(
        1.055 * pow(clipped, vec3(1.0 / 2.4)) - 0.055, clipped * 12.92, lessThanEqual(clipped, vec3(0.0031308)));
}

// SMPTE ST 2084: BT.2100, table 4.
const float pqM1 = 2610.0 / 16384.0;
const float pqM2 = 2523.0 / 32.0;
const float pqC1 = 3424.0 / 4096.0;
const float pqC2 = 2413.0 / 128.0;
const float pqC3 = 2392.0 / 128.0;
const float pqPeak = 10000.0 / 203.0;

vec3 pqLight(vec3 code) {
    vec3 root = pow(clamp(code, 0.0, 1.0), vec3(1.0 / pqM2));
    return pqPeak * pow(max(root - pqC1, 0.0) / (pqC2 - pqC3 * root), vec3(1.0 / pqM1));
}

vec3 pqCode(vec3 light) {
    vec3 root = pow(clamp(light / pqPeak, 0.0, 1.0), vec3(pqM1));
    return pow((pqC1 + pqC2 * root) / (1.0 + pqC3 * root), vec3(pqM2));
}

// BT.2100, table 5, for a display of 1000 cd/m2, whose system gamma is 1.2. `weights` are those of luminance.
const float hlgA = 0.17883277;
const float hlgB = 0.28466892;
const float hlgC = 0.55991073;
const float hlgPeak = 1000.0 / 203.0;
const float hlgGamma = 1.2;
const float hlgHighestCode = 955.0 / 876.0;

vec3 hlgLight(vec3 code, vec3 weights) {
    vec3 clipped = clamp(code, 0.0, hlgHighestCode);
    vec3 scene = mix(
        (exp((clipped - hlgC) / hlgA) + hlgB) / 12.0, clipped * clipped / 3.0, lessThanEqual(clipped, vec3(0.5)));
    return hlgPeak * scene * pow(dot(scene, weights), hlgGamma - 1.0);
}

vec3 hlgCode(vec3 light, vec3 weights) {
    vec3 display = max(light, 0.0) / hlgPeak;
    // The floor is far below the first code value, and avoids zero times infinity for black.
    vec3 scene = display * pow(max(dot(display, weights), 1e-12), 1.0 / hlgGamma - 1.0);
    vec3 clipped = clamp(scene, 0.0, 1.0);
    vec3 high = hlgA * log(max(12.0 * clipped - hlgB, 0.5)) + hlgC;
    return mix(high, sqrt(3.0 * clipped), lessThanEqual(clipped, vec3(1.0 / 12.0)));
}
