// From R'G'B' to Y, Cb and Cr: see `CVitrailKernels.h`. Sums are exact in 32 bits and rounded once.
#include "include/CVitrailKernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encode.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef VITRAIL_ENCODE_ONCE
#define VITRAIL_ENCODE_ONCE
namespace vitrail {

/// One row of the matrix, for sums of four pixels.
struct Weights {
    /// The factors of the first and third byte of a pixel, and of the second and fourth, as pairs of 16 bits.
    uint32_t even, odd;
    /// The offset and a half.
    int32_t offset;

    /// `bits` are the fractional bits of factors, which are rounded so that grey keeps its value.
    Weights(const VitrailPixels &pixels, const float *row, int bits) {
        int factors[3], sum = 0, largest = 0;
        for (int i = 0; i < 3; i++) {
            factors[i] = static_cast<int>(std::lround(std::ldexp(row[i], bits)));
            sum += factors[i];
            if (std::fabs(row[i]) > std::fabs(row[largest])) largest = i;
        }
        factors[largest] += static_cast<int>(std::lround(std::ldexp(row[0] + row[1] + row[2], bits))) - sum;
        uint16_t bytes[4] = {};
        bytes[pixels.red] = static_cast<uint16_t>(factors[0]);
        bytes[pixels.green] = static_cast<uint16_t>(factors[1]);
        bytes[pixels.blue] = static_cast<uint16_t>(factors[2]);
        even = bytes[0] | static_cast<uint32_t>(bytes[2]) << 16;
        odd = bytes[1] | static_cast<uint32_t>(bytes[3]) << 16;
        offset = static_cast<int32_t>(std::lround(std::ldexp(row[3] + 0.5, bits)));
    }

    /// The most fractional bits for which all factors fit into 16 bits.
    static int Bits(const float *rows) {
        float most = 0;
        for (int i = 0; i < 12; i++) most = i % 4 < 3 ? std::max(most, std::fabs(rows[i])) : most;
        return most < 0.9999f ? 15 : 14;
    }
};

/// The rows of an encoding.
struct Matrix {
    int bits;
    Weights luma, first, second;
    /// The byte of a pixel that is its opacity; negative if there is none.
    int opacity;

    /// `isSwapped`: whether Cr comes first.
    Matrix(const VitrailPixels &pixels, const VitrailEncoding &to, bool isSwapped)
        : bits(Weights::Bits(to.weights)), luma(pixels, to.weights, bits),
          first(pixels, to.weights + (isSwapped ? 8 : 4), bits), second(pixels, to.weights + (isSwapped ? 4 : 8), bits),
          opacity(pixels.opacity) {}
};

/// Where the results of some pixels go; there may be no lower row of luma.
struct Results {
    uint8_t *luma[2], *first, *second;
};

}  // namespace vitrail
#endif

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of 16 or 32 bytes, into which pixels of three bytes are loaded.
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
using D8 = hn::FixedTag<uint8_t, 32>;
#else
using D8 = hn::FixedTag<uint8_t, 16>;
#endif
using D16 = hn::Repartition<int16_t, D8>;
using DU16 = hn::Repartition<uint16_t, D8>;
using D32 = hn::Repartition<int32_t, D8>;
using DU32 = hn::Repartition<uint32_t, D8>;
/// A byte for each pixel of a vector.
using DOut = hn::Rebind<uint8_t, D32>;
using V16 = hn::Vec<DU16>;

/// The pixels of a vector, and of two, which are encoded at once.
constexpr int kPixels = HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE ? 8 : 4;
constexpr int kTurn = 2 * kPixels;

/// Loads pixels, widened to four bytes each; loading pixels of three bytes reads four bytes beyond the last one.
template <int kBytes>
HWY_INLINE hn::Vec<DU32> Load(const uint8_t *from) {
    const DU32 d;
    if (kBytes == 4) return hn::BitCast(d, hn::LoadU(D8(), from));
    const hn::FixedTag<uint8_t, 16> d16;
    alignas(16) static constexpr uint8_t kSpread[16] = {0, 1, 2, 128, 3, 4, 5, 128, 6, 7, 8, 128, 9, 10, 11, 128};
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
    const auto bytes = hn::Combine(D8(), hn::LoadU(d16, from + 12), hn::LoadU(d16, from));
#else
    const auto bytes = hn::LoadU(d16, from);
#endif
    return hn::BitCast(d, hn::TableLookupBytesOr0(bytes, hn::LoadDup128(D8(), kSpread)));
}

/// Multiplies the first and third byte of pixels, and the second and fourth, by the pixels' opacity.
HWY_INLINE void Multiply(hn::Vec<DU32> pixels, int opacity, V16 &even, V16 &odd) {
    const DU16 d;
    const auto one = hn::And(hn::ShiftRightSame(pixels, 8 * opacity), hn::Set(DU32(), 0xFF));
    const auto both = hn::BitCast(d, hn::Or(one, hn::ShiftLeft<16>(one)));
    const auto product = [&](V16 value) {
        // Divided by 255, to the nearest.
        const auto sum = hn::Add(hn::Mul(value, both), hn::Set(d, 128));
        return hn::ShiftRight<8>(hn::Add(sum, hn::ShiftRight<8>(sum)));
    };
    even = product(even);
    odd = product(odd);
}

/// One byte for each pixel.
HWY_INLINE hn::Vec<DOut> Encoded(const Weights &weights, V16 even, V16 odd, int shift, int bits) {
    const D16 d;
    const DU32 du;
    const D32 d32;
    auto more = hn::Zero(d32);
    auto sum = hn::ReorderWidenMulAccumulate(
        d32, hn::BitCast(d, even), hn::BitCast(d, hn::Set(du, weights.even)), hn::Zero(d32), more);
    sum = hn::ReorderWidenMulAccumulate(d32, hn::BitCast(d, odd), hn::BitCast(d, hn::Set(du, weights.odd)), sum, more);
    sum = hn::Add(hn::RearrangeToOddPlusEven(sum, more), hn::Set(d32, weights.offset << (shift - bits)));
    return hn::DemoteTo(DOut(), hn::ShiftRightSame(sum, shift));
}

/// The sums of neighbouring pixels of two vectors.
HWY_INLINE V16 Neighbours(V16 left, V16 right) {
    const DU32 d32;
    const hn::Repartition<uint64_t, D8> d64;
    const auto sum = [&](V16 value) {
        const auto next = hn::BitCast(DU16(), hn::ShiftRight<32>(hn::BitCast(d64, value)));
        return hn::BitCast(d32, hn::Add(value, next));
    };
    return hn::BitCast(DU16(), hn::ConcatEven(d32, sum(right), sum(left)));
}

template <int kStep>
HWY_INLINE void StoreChroma(hn::Vec<DOut> first, hn::Vec<DOut> second, uint8_t *toFirst, uint8_t *toSecond) {
    const DOut d;
    if (kStep == 1) {
        hn::StoreU(first, d, toFirst);
        hn::StoreU(second, d, toSecond);
    } else {
        hn::StoreInterleaved2(first, second, d, toFirst);
    }
}

/// Two rows of `kTurn` pixels, which share chroma.
template <int kBytes, bool kHasOpacity, bool kHalvesColumns, int kStep>
HWY_INLINE void EncodeTurn(const Matrix &matrix, const uint8_t *above, const uint8_t *below, const Results &to) {
    V16 even0, even1, even2, even3, odd0, odd1, odd2, odd3;
    const auto read = [&](const uint8_t *from, uint8_t *luma, V16 &even, V16 &odd) HWY_ATTR {
        const auto pixels = Load<kBytes>(from);
        even = hn::And(hn::BitCast(DU16(), pixels), hn::Set(DU16(), 0xFF));
        odd = hn::ShiftRight<8>(hn::BitCast(DU16(), pixels));
        if (kHasOpacity) Multiply(pixels, matrix.opacity, even, odd);
        if (luma) hn::StoreU(Encoded(matrix.luma, even, odd, matrix.bits, matrix.bits), DOut(), luma);
    };
    uint8_t *second = to.luma[1];
    read(above, to.luma[0], even0, odd0);
    read(above + kPixels * kBytes, to.luma[0] + kPixels, even1, odd1);
    read(below, second, even2, odd2);
    read(below + kPixels * kBytes, second ? second + kPixels : nullptr, even3, odd3);
    const auto chroma = [&](V16 even, V16 odd, int place) HWY_ATTR {
        const int shift = matrix.bits + (kHalvesColumns ? 2 : 1);
        StoreChroma<kStep>(
            Encoded(matrix.first, even, odd, shift, matrix.bits), Encoded(matrix.second, even, odd, shift, matrix.bits),
            to.first + place * kStep, to.second + place * kStep);
    };
    even0 = hn::Add(even0, even2);
    even1 = hn::Add(even1, even3);
    odd0 = hn::Add(odd0, odd2);
    odd1 = hn::Add(odd1, odd3);
    if (kHalvesColumns) {
        chroma(Neighbours(even0, even1), Neighbours(odd0, odd1), 0);
    } else {
        chroma(even0, odd0, 0);
        chroma(even1, odd1, kPixels);
    }
}

/// Fewer pixels than are encoded at once, from and to memory of that size; the last one is repeated.
template <int kBytes, bool kHasOpacity, bool kHalvesColumns, int kStep>
void EncodeRest(const Matrix &matrix, const uint8_t *above, const uint8_t *below, int count, const Results &to) {
    uint8_t pixels[2][kTurn * kBytes + 4] = {}, results[4][2 * kTurn];
    for (int x = 0; x < kTurn; x++) {
        const int from = std::min(x, count - 1) * kBytes;
        std::memcpy(pixels[0] + x * kBytes, above + from, kBytes);
        std::memcpy(pixels[1] + x * kBytes, below + from, kBytes);
    }
    const Results all = {{results[0], to.luma[1] ? results[1] : nullptr}, results[2], results[kStep == 1 ? 3 : 2]};
    EncodeTurn<kBytes, kHasOpacity, kHalvesColumns, kStep>(matrix, pixels[0], pixels[1], all);
    for (int row = 0; row < 2; row++) {
        if (to.luma[row]) std::memcpy(to.luma[row], results[row], count);
    }
    const int chroma = (kHalvesColumns ? (count + 1) / 2 : count) * kStep;
    std::memcpy(to.first, results[2], chroma);
    if (kStep == 1) std::memcpy(to.second, results[3], chroma);
}

/// Encodes two rows, or one that has no row below it.
template <int kBytes, bool kHasOpacity, bool kHalvesColumns, int kStep>
void EncodeRow(const Matrix &matrix, const uint8_t *above, const uint8_t *below, int width, const Results &to) {
    const auto results = [&](int x) {
        const int place = (kHalvesColumns ? x / 2 : x) * kStep;
        return Results{{to.luma[0] + x, to.luma[1] ? to.luma[1] + x : nullptr}, to.first + place, to.second + place};
    };
    // Vectors of pixels of three bytes read four bytes more.
    const int slack = kBytes == 3 ? 2 : 0;
    int x = 0;
    for (; x + kTurn + slack <= width; x += kTurn) {
        EncodeTurn<kBytes, kHasOpacity, kHalvesColumns, kStep>(matrix, above + x * kBytes, below + x * kBytes, results(x));
    }
    for (; x < width; x += kTurn) {
        EncodeRest<kBytes, kHasOpacity, kHalvesColumns, kStep>(
            matrix, above + x * kBytes, below + x * kBytes, std::min(kTurn, width - x), results(x));
    }
}

bool IsOpaque(const uint8_t *row, int width, int opacity) {
    const DU32 d;
    auto all = hn::Set(d, ~0u);
    int x = 0;
    for (; x + kPixels <= width; x += kPixels) all = hn::And(all, hn::BitCast(d, hn::LoadU(D8(), row + 4 * x)));
    const auto mask = hn::Set(d, 0xFFu << (8 * opacity));
    bool isOpaque = hn::AllTrue(d, hn::Eq(hn::And(all, mask), mask));
    for (; x < width; x++) isOpaque = isOpaque && row[4 * x + opacity] == 255;
    return isOpaque;
}

template <bool kHalvesColumns, int kStep>
void EncodeRows(const VitrailPixels &pixels, const VitrailEncoding &to, int y0, int y1) {
    // Interleaved chroma begins with what is first in memory.
    const int first = kStep == 2 && to.planes[2] < to.planes[1] ? 2 : 1, second = 3 - first;
    const Matrix matrix(pixels, to, first == 2);
    for (int y = y0; y < y1; y += to.halvesRows ? 2 : 1) {
        const bool hasTwo = to.halvesRows && y + 1 < pixels.height;
        const uint8_t *above = pixels.first + y * pixels.bytesPerRow;
        const uint8_t *below = hasTwo ? above + pixels.bytesPerRow : above;
        const int row = to.halvesRows ? y / 2 : y;
        uint8_t *luma = to.planes[0] + y * to.strides[0];
        const Results results = {
            {luma, hasTwo ? luma + to.strides[0] : nullptr},
            to.planes[first] + row * to.strides[first],
            to.planes[second] + row * to.strides[second]};
        if (pixels.bytesPerPixel == 3) {
            EncodeRow<3, false, kHalvesColumns, kStep>(matrix, above, below, pixels.width, results);
        } else if (
            matrix.opacity < 0
            || (IsOpaque(above, pixels.width, matrix.opacity) && IsOpaque(below, pixels.width, matrix.opacity))) {
            EncodeRow<4, false, kHalvesColumns, kStep>(matrix, above, below, pixels.width, results);
        } else {
            EncodeRow<4, true, kHalvesColumns, kStep>(matrix, above, below, pixels.width, results);
        }
    }
}

void Encode(const VitrailPixels &pixels, const VitrailEncoding &to, int y0, int y1) {
    if (to.halvesColumns) {
        if (to.chromaStep == 1) EncodeRows<true, 1>(pixels, to, y0, y1);
        if (to.chromaStep == 2) EncodeRows<true, 2>(pixels, to, y0, y1);
    } else {
        if (to.chromaStep == 1) EncodeRows<false, 1>(pixels, to, y0, y1);
        if (to.chromaStep == 2) EncodeRows<false, 2>(pixels, to, y0, y1);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(Encode);
}

void vitrail_encode(const VitrailPixels *pixels, const VitrailEncoding *to, int32_t y0, int32_t y1) {
    HWY_DYNAMIC_DISPATCH(vitrail::Encode)(*pixels, *to, y0, y1);
}
#endif
