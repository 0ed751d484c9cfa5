// Kernels of unit width at x >= 0: Keys, "Cubic convolution interpolation" (1981); Mitchell and Netravali,
// "Reconstruction filters in computer graphics" (1988), with B = C = 1/3; Duchon, "Lanczos filtering"
// (1979), with three lobes.

float tent(float x) { return max(0.0, 1.0 - x); }

float cubic(float x, float b, float c) {
    if (x < 1.0) { return ((12.0 - 9.0 * b - 6.0 * c) * x + (-18.0 + 12.0 * b + 6.0 * c)) * x * x / 6.0 + (1.0 - b / 3.0); }
    if (x < 2.0) {
        return (((-b - 6.0 * c) * x + (6.0 * b + 30.0 * c)) * x + (-12.0 * b - 48.0 * c)) * x / 6.0 + (8.0 * b + 24.0 * c) / 6.0;
    }
    return 0.0;
}

float catmullRom(float x) { return cubic(x, 0.0, 0.5); }

float mitchell(float x) { return cubic(x, 1.0 / 3.0, 1.0 / 3.0); }

float lanczos(float x) {
    const float pi = 3.14159265;
    if (x < 1e-4) { return 1.0; }
    return x < 3.0 ? 3.0 * sin(pi * x) * sin(pi * x / 3.0) / (pi * pi * x * x) : 0.0;
}
