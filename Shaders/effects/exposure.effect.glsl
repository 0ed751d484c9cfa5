//! name Exposure
//! about Exposure and white balance in linear light of sRGB, by the Bradford method; then gamma.
//! param stops float -6 6 0.5 "Exposure (stops)"
//! param temperature float 2000 15000 7500 "Temperature of the light (K): 6504 changes nothing, more is warmer"
//! param tint float -1 1 0 "Tint: green below 0, magenta above"
//! param gamma float 0.2 5 1.1 "Gamma: above 1 is lighter"

// From linear light of IEC 61966-2-1 to X, Y and Z, from there to Bradford's cones, and back; in column order.
const mat3 fromRGB = mat3(0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505);
const mat3 toRGB = mat3(
    3.2406255, -0.9689307, 0.0557101, -1.5372080, 1.8757561, -0.2040211, -0.4986286, 0.0415175, 1.0569959);
const mat3 toCones = mat3(0.8951, -0.7502, 0.0389, 0.2664, 1.7135, -0.0685, -0.1614, 0.0367, 1.0296);
const mat3 fromCones = mat3(
    0.9869929, 0.4323053, -0.0085287, -0.1470543, 0.5183603, 0.0400428, 0.1599627, 0.0492912, 0.9684867);

// The response of the cones to a light of T kelvin: a black body up to 4000 K (Krystek 1985: u and v of CIE 1960),
// daylight from 5000 K (CIE 15), a mixture in between, like the reference lights of IES TM-30.
vec3 light(float T) {
    float u = ((1.28641212e-7 * T + 1.54118254e-4) * T + 0.860117757) / ((7.08145163e-7 * T + 8.42420235e-4) * T + 1.0);
    float v = ((4.20481691e-8 * T + 4.22806245e-5) * T + 0.317398726) / ((1.61456053e-7 * T - 2.89741816e-5) * T + 1.0);
    vec2 blackBody = vec2(3.0 * u, 2.0 * v) / (2.0 * u - 8.0 * v + 4.0);
    float t = 1000.0 / T;
    float x = mix(
        ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063, ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040,
        step(7000.0, T));
    vec2 daylight = vec2(x, (2.87 - 3.0 * x) * x - 0.275);
    vec2 white = mix(blackBody, daylight, clamp(T / 1000.0 - 4.0, 0.0, 1.0));
    return toCones * vec3(white.x, white.y, 1.0 - white.x - white.y) / white.y;
}

vec4 effect(vec2 uv) {
    vec4 color = sample(uv);
    vec3 code = clamp(color.rgb, 0.0, 1.0);
    vec3 linear = mix(pow((code + 0.055) / 1.055, vec3(2.4)), code / 12.92, lessThanEqual(code, vec3(0.04045)));

    // A surface that looks white in light of that temperature becomes white.
    vec3 gains = light(6504.0) / light(temperature);
    linear = toRGB * (fromCones * (gains * (toCones * (fromRGB * linear))));
    // At the largest tint, green loses half a stop.
    linear.g *= exp2(-0.5 * tint);
    linear = clamp(linear * exp2(stops), 0.0, 1.0);

    code = mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, linear * 12.92, lessThanEqual(linear, vec3(0.0031308)));
    return vec4(pow(code, vec3(1.0 / gamma)), color.a);
}
