// Reading rows of samples, for the fast painter.
#ifndef VITRAIL_ROWS_ONCE
#define VITRAIL_ROWS_ONCE
#include "include/CVitrailKernels.h"

#include <algorithm>
#include <cstring>

namespace vitrail {

/// Vectors may read and write this many elements beyond a row.
constexpr int kSlack = 128;

/// One component of the part that is being drawn.
struct Rows {
    const VitrailComponentPlan *plan;
    VitrailSamples samples;
    /// The columns that are drawn, in whole groups of 16.
    int first, last;
    /// Rows of the picture's width; `keys` has the number of the row of samples that each was made from.
    int16_t *kept[2];
    int keys[2];
    /// Two rows of samples, of a byte or of 15 bits: one with an even number, and one with an odd one.
    uint8_t *bytes[2];
    int16_t *words[2];
    /// Turned frames: 16 rows at once, from row `turnedKey`, each `turnedPitch` samples.
    uint8_t *turned;
    int turnedKey, turnedPitch;
    /// Sums of rows, and the same with six fractional bits.
    int32_t *wholeSums;
    int16_t *sums;
};

}  // namespace vitrail
#endif

// Compiled once for each instruction set.
#if defined(VITRAIL_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRAIL_ROWS_INL_H
#undef VITRAIL_ROWS_INL_H
#else
#define VITRAIL_ROWS_INL_H
#endif
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of up to 64 bytes, which tables and slack are made for.
using D16 = hn::CappedTag<int16_t, 32>;
using DU16 = hn::CappedTag<uint16_t, 32>;

template <class D, class V>
HWY_INLINE V Product(D, V value, V weight) { return hn::MulFixedPoint15(value, weight); }

// MARK: Reading a row of samples

/// Every `kStep`th byte.
template <int kStep>
void Gather(const uint8_t *HWY_RESTRICT from, int count, uint8_t *HWY_RESTRICT to) {
    const hn::ScalableTag<uint8_t> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    // One sample is left, so that no more than the row is read.
    for (; i + lanes < count; i += lanes) {
        auto a = hn::Zero(d), b = a, c = a, e = a;
        if (kStep == 2) hn::LoadInterleaved2(d, from + i * 2, a, b);
        if (kStep == 3) hn::LoadInterleaved3(d, from + i * 3, a, b, c);
        if (kStep == 4) hn::LoadInterleaved4(d, from + i * 4, a, b, c, e);
        hn::StoreU(a, d, to + i);
    }
    for (; i < count; i++) to[i] = from[i * kStep];
}

/// A word as 15 bits; a value that exceeds the depth reads as the highest one.
HWY_INLINE int16_t FifteenBits(uint16_t word, int leftShift) {
    return static_cast<int16_t>(std::min<int>(word, 0xFFFF >> leftShift) << leftShift >> 1);
}

/// Every `kStep`th word, as 15 bits.
template <int kStep>
void GatherWords(const uint8_t *HWY_RESTRICT from, int count, int leftShift, int16_t *HWY_RESTRICT to) {
    const DU16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes < count; i += lanes) {
        const uint16_t *words = reinterpret_cast<const uint16_t *>(from) + i * kStep;
        auto a = hn::Zero(d), b = a;
        if (kStep == 1) a = hn::LoadU(d, words);
        if (kStep == 2) hn::LoadInterleaved2(d, words, a, b);
        // A value that exceeds the depth reads as the highest one.
        a = hn::ShiftLeftSame(hn::Min(a, hn::Set(d, static_cast<uint16_t>(0xFFFF >> leftShift))), leftShift);
        hn::StoreU(hn::BitCast(D16(), hn::ShiftRight<1>(a)), D16(), to + i);
    }
    for (; i < count; i++) {
        uint16_t word;
        std::memcpy(&word, from + i * kStep * 2, 2);
        to[i] = FifteenBits(word, leftShift);
    }
}

/// Reads one sample as 15 bits.
HWY_INLINE int16_t Word(const VitrailComponentPlan &plan, const uint8_t *from) {
    if (plan.wordBytes == 2) {
        uint16_t word;
        std::memcpy(&word, from, 2);
        return FifteenBits(word, plan.leftShift);
    }
    // With opacity: 255 * 255 is 255 << 7.
    const uint32_t product = from[0] * from[plan.opacity];
    return static_cast<int16_t>((product * 257 + 256) >> 9);
}

/// Whether rows have samples of 15 bits.
HWY_INLINE bool HasWords(const VitrailComponentPlan &plan) { return plan.wordBytes == 2 || plan.opacity != 0; }

/// Whether a row of samples is a column in memory.
HWY_INLINE bool IsTurned(const VitrailSamples &samples) {
    return samples.right < 0 || samples.right > 8;
}

/// Turns 16 columns in memory, which are rows of the picture.
void Turn(Rows &rows, int key) {
    const VitrailComponentPlan &plan = *rows.plan;
    rows.turnedKey = key;
    const int count = std::min(16, plan.height - key);
    const uint8_t *first = rows.samples.first + key * rows.samples.down;
    for (int x = 0; x < plan.width; x++) {
        const uint8_t *from = first + x * rows.samples.right;
        if (HasWords(plan)) {
            int16_t *to = reinterpret_cast<int16_t *>(rows.turned) + x;
            for (int i = 0; i < count; i++) to[i * rows.turnedPitch] = Word(plan, from + i * rows.samples.down);
        } else {
            uint8_t *to = rows.turned + x;
            for (int i = 0; i < count; i++) to[i * rows.turnedPitch] = from[i * rows.samples.down];
        }
    }
}

/// A row of samples of a byte, side by side, with `kSlack` bytes after it that may be read.
const uint8_t *ByteRow(Rows &rows, int y) {
    const VitrailComponentPlan &plan = *rows.plan;
    if (IsTurned(rows.samples)) {
        const int key = y & ~15;
        if (rows.turnedKey != key) Turn(rows, key);
        return rows.turned + (y - key) * rows.turnedPitch;
    }
    const uint8_t *from = rows.samples.first + y * rows.samples.down;
    uint8_t *bytes = rows.bytes[y & 1];
    switch (rows.samples.right) {
    case 1:
        // Windows never end after the row, but a short row is shorter than a window.
        if (plan.width >= 16 * std::max(1, plan.windows)) return from;
        std::memcpy(bytes, from, plan.width);
        return bytes;
    case 2: Gather<2>(from, plan.width, bytes); break;
    case 3: Gather<3>(from, plan.width, bytes); break;
    case 4: Gather<4>(from, plan.width, bytes); break;
    default:
        for (int x = 0; x < plan.width; x++) bytes[x] = from[x * rows.samples.right];
    }
    return bytes;
}

/// A row of samples of 15 bits.
const int16_t *WordRow(Rows &rows, int y) {
    const VitrailComponentPlan &plan = *rows.plan;
    if (IsTurned(rows.samples)) {
        const int key = y & ~15;
        if (rows.turnedKey != key) Turn(rows, key);
        return reinterpret_cast<int16_t *>(rows.turned) + (y - key) * rows.turnedPitch;
    }
    const uint8_t *from = rows.samples.first + y * rows.samples.down;
    int16_t *words = rows.words[y & 1];
    if (plan.wordBytes == 2 && rows.samples.right == 2) {
        GatherWords<1>(from, plan.width, plan.leftShift, words);
    } else if (plan.wordBytes == 2 && rows.samples.right == 4) {
        GatherWords<2>(from, plan.width, plan.leftShift, words);
    } else {
        for (int x = 0; x < plan.width; x++) words[x] = Word(plan, from + x * rows.samples.right);
    }
    return words;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();
#endif
