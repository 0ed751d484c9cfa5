// Pixels of pictures in every format, as floating-point numbers.
#pragma once

#include "include/CVitrailKernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vitrail {

inline float HalfToFloat(uint16_t half) {
    const int exponent = (half >> 10) & 31;
    const float fraction = static_cast<float>(half & 1023);
    float value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
    return half & 0x8000 ? -value : value;
}

/// Rounds to the nearest, and of two to the even one.
inline uint16_t FloatToHalf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    const float size = std::fabs(value);
    if (std::isnan(size)) return sign | 0x7E00;
    if (size >= 65520) return sign | 0x7C00;
    int exponent = 0;
    std::frexp(size, &exponent);
    // Below 2⁻¹⁴, steps no longer become smaller.
    exponent = std::max(exponent - 1, -14);
    const int fraction = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    // A fraction of 2048 or below 1024 carries over to the next exponent, or is a subnormal number, by itself.
    return static_cast<uint16_t>(sign | (((exponent + 14) << 10) + fraction));
}

inline int BytesPerPixel(VitrailPictureFormat format) {
    switch (format) {
    case VitrailRGBA8:
    case VitrailBGRA8:
    case VitrailRGB10A2: return 4;
    case VitrailRGBA16F: return 8;
    case VitrailRGBA32F: return 16;
    }
    return 4;
}

inline uint32_t Level(float value, float most) {
    // In this order, NaN becomes 0.
    return static_cast<uint32_t>(std::min(std::max(0.0f, value), 1.0f) * most + 0.5f);
}

/// Writes an opaque pixel.
inline void Write(VitrailPictureFormat format, uint8_t *to, const float *color) {
    switch (format) {
    case VitrailRGBA8:
        for (int i = 0; i < 3; i++) to[i] = static_cast<uint8_t>(Level(color[i], 255));
        to[3] = 255;
        break;
    case VitrailBGRA8:
        for (int i = 0; i < 3; i++) to[2 - i] = static_cast<uint8_t>(Level(color[i], 255));
        to[3] = 255;
        break;
    case VitrailRGB10A2: {
        const uint32_t word =
            Level(color[0], 1023) | Level(color[1], 1023) << 10 | Level(color[2], 1023) << 20 | 3u << 30;
        std::memcpy(to, &word, 4);
        break;
    }
    case VitrailRGBA16F: {
        const uint16_t words[4] = {FloatToHalf(color[0]), FloatToHalf(color[1]), FloatToHalf(color[2]), 0x3C00};
        std::memcpy(to, words, 8);
        break;
    }
    case VitrailRGBA32F: {
        const float words[4] = {color[0], color[1], color[2], 1};
        std::memcpy(to, words, 16);
        break;
    }
    }
}

inline void Read(VitrailPictureFormat format, const uint8_t *from, float *color) {
    switch (format) {
    case VitrailRGBA8:
        for (int i = 0; i < 3; i++) color[i] = static_cast<float>(from[i]) / 255;
        break;
    case VitrailBGRA8:
        for (int i = 0; i < 3; i++) color[i] = static_cast<float>(from[2 - i]) / 255;
        break;
    case VitrailRGB10A2: {
        uint32_t word;
        std::memcpy(&word, from, 4);
        for (int i = 0; i < 3; i++) color[i] = static_cast<float>(word >> (10 * i) & 1023) / 1023;
        break;
    }
    case VitrailRGBA16F: {
        uint16_t words[4];
        std::memcpy(words, from, 8);
        for (int i = 0; i < 3; i++) color[i] = HalfToFloat(words[i]);
        break;
    }
    case VitrailRGBA32F: std::memcpy(color, from, 12); break;
    }
}

}  // namespace vitrail
