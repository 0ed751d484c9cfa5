// The fast painter: see `CVitrailKernels.h`.
#include "include/CVitrailKernels.h"
#include "scratch.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef VITRAIL_FAST_ONCE
#define VITRAIL_FAST_ONCE

namespace vitrail {

/// Vectors may read and write this many elements beyond a row.
constexpr int kSlack = 128;

/// Thresholds of dithering, 0 to 63: `dither.glsl`'s matrix, with columns repeated for a vector at any place.
struct Thresholds {
    int16_t rows[8][72];

    constexpr Thresholds() : rows() {
        for (int row = 0; row < 8; row++) {
            for (int x = 0; x < 72; x++) {
                const int y = (x ^ row);
                rows[row][x] = static_cast<int16_t>(
                    (y & 1) << 5 | (x & 1) << 4 | (y & 2) << 2 | (x & 2) << 1 | (y & 4) >> 1 | (x & 4) >> 2);
            }
        }
    }
};
constexpr Thresholds kThresholds;

/// One component of the part that is being drawn.
struct Rows {
    const VitrailComponentPlan *plan;
    VitrailSamples samples;
    /// The columns that are drawn, in whole groups of 16.
    int first, last;
    /// Rows of the picture's width; `keys` says of which row of samples.
    int16_t *kept[2];
    int keys[2];
    /// A row of samples, of a byte or of 15 bits.
    uint8_t *bytes;
    int16_t *words;
    /// Turned frames: 16 rows at once, from row `turnedKey`, each `turnedPitch` samples.
    uint8_t *turned;
    int turnedKey, turnedPitch;
    /// Sums of rows.
    int16_t *sums;
};

}  // namespace vitrail
#endif

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
        hn::StoreU(hn::BitCast(D16(), hn::ShiftRight<1>(hn::ShiftLeftSame(a, leftShift))), D16(), to + i);
    }
    for (; i < count; i++) {
        uint16_t word;
        std::memcpy(&word, from + i * kStep * 2, 2);
        to[i] = static_cast<int16_t>(static_cast<uint16_t>(word << leftShift) >> 1);
    }
}

/// Reads one sample as 15 bits.
HWY_INLINE int16_t Word(const VitrailComponentPlan &plan, const uint8_t *from) {
    if (plan.wordBytes == 2) {
        uint16_t word;
        std::memcpy(&word, from, 2);
        return static_cast<int16_t>(static_cast<uint16_t>(word << plan.leftShift) >> 1);
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
    switch (rows.samples.right) {
    case 1:
        // Windows never end after the row, but a short row is shorter than a window.
        if (plan.width >= 16 * std::max(1, plan.windows)) return from;
        std::memcpy(rows.bytes, from, plan.width);
        return rows.bytes;
    case 2: Gather<2>(from, plan.width, rows.bytes); break;
    case 3: Gather<3>(from, plan.width, rows.bytes); break;
    case 4: Gather<4>(from, plan.width, rows.bytes); break;
    default:
        for (int x = 0; x < plan.width; x++) rows.bytes[x] = from[x * rows.samples.right];
    }
    return rows.bytes;
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
    if (plan.wordBytes == 2 && rows.samples.right == 2) {
        GatherWords<1>(from, plan.width, plan.leftShift, rows.words);
    } else if (plan.wordBytes == 2 && rows.samples.right == 4) {
        GatherWords<2>(from, plan.width, plan.leftShift, rows.words);
    } else {
        for (int x = 0; x < plan.width; x++) rows.words[x] = Word(plan, from + x * rows.samples.right);
    }
    return rows.words;
}

// MARK: Across

/// Bytes with seven fractional bits.
void Widen(const uint8_t *HWY_RESTRICT from, int first, int last, int16_t *HWY_RESTRICT to) {
    const D16 d;
    const hn::Rebind<uint8_t, D16> d8;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = first;
    for (; i + lanes <= last; i += lanes) {
        hn::StoreU(hn::ShiftLeft<7>(hn::PromoteTo(d, hn::LoadU(d8, from + i))), d, to + i);
    }
    for (; i < last; i++) to[i] = static_cast<int16_t>(from[i] << 7);
}

/// One window of samples, or two where vectors have 32 bytes.
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
using DBlock = hn::FixedTag<uint8_t, 32>;
#else
using DBlock = hn::FixedTag<uint8_t, 16>;
#endif

HWY_INLINE hn::Vec<DBlock> LoadWindows(const uint8_t *row, const int32_t *bases, int offset) {
    const hn::FixedTag<uint8_t, 16> d16;
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
    return hn::Combine(DBlock(), hn::LoadU(d16, row + bases[1] + offset), hn::LoadU(d16, row + bases[0] + offset));
#else
    return hn::LoadU(d16, row + bases[0] + offset);
#endif
}

/// Means of two neighbours: eight columns, or sixteen, in each turn.
template <int kWindows>
void Pairs(const VitrailComponentPlan &plan, const uint8_t *HWY_RESTRICT row, int first, int last, int16_t *HWY_RESTRICT to) {
    const DBlock d;
    const hn::RepartitionToWide<DBlock> du;
    const hn::RebindToSigned<decltype(du)> ds;
    const int lanes = static_cast<int>(hn::Lanes(ds));
    for (int x = first; x < last; x += lanes) {
        const int32_t *bases = plan.bases + x / 8;
        auto pairs = hn::TableLookupBytesOr0(LoadWindows(row, bases, 0), hn::LoadU(d, plan.shuffles + x * 2));
        for (int window = 1; window < kWindows; window++) {
            const auto more = hn::TableLookupBytesOr0(
                LoadWindows(row, bases, 16 * window), hn::LoadU(d, plan.shuffles + window * plan.shufflesPerWindow + x * 2));
            pairs = hn::Or(pairs, more);
        }
        const auto two = hn::BitCast(du, pairs);
        const auto a = hn::BitCast(ds, hn::ShiftLeft<7>(hn::And(two, hn::Set(du, 0xFF))));
        const auto b = hn::BitCast(ds, hn::ShiftLeft<7>(hn::ShiftRight<8>(two)));
        const auto weight = hn::LoadU(ds, plan.weights + x);
        hn::StoreU(hn::Add(a, Product(ds, hn::Sub(b, a), weight)), ds, to + x);
    }
}

/// Fetches a row of samples into the cache: processors themselves only go on with the row that they are in.
HWY_INLINE void Prefetch(const Rows &rows, int y) {
    if (IsTurned(rows.samples)) return;
    const uint8_t *row = rows.samples.first + y * rows.samples.down;
    const ptrdiff_t length = rows.plan->width * rows.samples.right;
    for (ptrdiff_t place = 0; place < length; place += 64) __builtin_prefetch(row + place);
}

/// A row of samples as wide as the picture, kept for the next rows. `ahead` is the row that is needed next.
const int16_t *KeptRow(Rows &rows, int y, int ahead) {
    const VitrailComponentPlan &plan = *rows.plan;
    const int slot = y & 1;
    int16_t *kept = rows.kept[slot];
    if (rows.keys[slot] == y) return kept;
    rows.keys[slot] = y;
    if (ahead > y && ahead < plan.height) Prefetch(rows, ahead);
    if (HasWords(plan)) {
        std::memcpy(kept, WordRow(rows, y), static_cast<size_t>(plan.width) * 2);
        return kept;
    }
    const uint8_t *row = ByteRow(rows, y);
    if (plan.across == VitrailAcrossSame) {
        Widen(row, rows.first, std::min(rows.last, plan.width), kept);
    } else {
        switch (plan.windows) {
        case 1: Pairs<1>(plan, row, rows.first, rows.last, kept); break;
        case 2: Pairs<2>(plan, row, rows.first, rows.last, kept); break;
        case 3: Pairs<3>(plan, row, rows.first, rows.last, kept); break;
        default: Pairs<4>(plan, row, rows.first, rows.last, kept); break;
        }
    }
    return kept;
}

// MARK: Taps

/// Adds a row of samples times a weight to the sums, whose values have six fractional bits.
template <bool kIsFirst, bool kIsWhole>
void AddBytes(const uint8_t *HWY_RESTRICT row, int count, int16_t weight, int16_t *HWY_RESTRICT sums) {
    const D16 d;
    const hn::Rebind<uint8_t, D16> d8;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto w = hn::Set(d, weight);
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto value = hn::PromoteTo(d, hn::LoadU(d8, row + i));
        const auto product = kIsWhole ? hn::ShiftLeft<6>(value) : Product(d, hn::ShiftLeft<7>(value), w);
        hn::StoreU(kIsFirst ? product : hn::SaturatedAdd(hn::LoadU(d, sums + i), product), d, sums + i);
    }
    for (; i < count; i++) {
        const int product = kIsWhole ? row[i] << 6 : ((row[i] << 7) * weight + (1 << 14)) >> 15;
        sums[i] = static_cast<int16_t>(std::clamp(product + (kIsFirst ? 0 : sums[i]), -32768, 32767));
    }
}

void AddWords(const int16_t *HWY_RESTRICT row, int count, int16_t weight, bool isFirst, int16_t *HWY_RESTRICT sums) {
    const D16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto w = hn::Set(d, weight);
    // Rows and sums have room for whole vectors.
    for (int i = 0; i < count; i += lanes) {
        const auto product = Product(d, hn::LoadU(d, row + i), w);
        hn::StoreU(isFirst ? product : hn::SaturatedAdd(hn::LoadU(d, sums + i), product), d, sums + i);
    }
}

/// Sums the rows of samples that a row of the picture needs.
void SumRows(Rows &rows, int y) {
    const VitrailComponentPlan &plan = *rows.plan;
    const int count = plan.sampleCount;
    bool isFirst = true;
    for (int tap = 0; tap < plan.rowTaps; tap++) {
        const int16_t weight = plan.rowWeights[y * plan.rowTaps + tap];
        if (weight == 0) continue;
        const int row = plan.rows[y] + tap;
        if (HasWords(plan)) {
            AddWords(WordRow(rows, row) + plan.firstSample, count, weight, isFirst, rows.sums);
        } else {
            const uint8_t *bytes = ByteRow(rows, row) + plan.firstSample;
            if (weight == 16384) {
                AddBytes<true, true>(bytes, count, weight, rows.sums);
            } else if (isFirst) {
                AddBytes<true, false>(bytes, count, weight, rows.sums);
            } else {
                AddBytes<false, false>(bytes, count, weight, rows.sums);
            }
        }
        isFirst = false;
    }
}

/// Sums the columns of samples that each column of the picture needs: four columns in each turn.
void SumColumns(const VitrailComponentPlan &plan, const int16_t *HWY_RESTRICT sums, int first, int last, int16_t *HWY_RESTRICT to) {
    const hn::FixedTag<int16_t, 8> d;
    const hn::FixedTag<int32_t, 4> d32;
    const hn::FixedTag<int64_t, 2> d64;
    const hn::FixedTag<int16_t, 4> half;
    const int taps = plan.taps;
    // No array of vectors, whose size is unknown on some processors.
    const auto sum = [&](int x) {
        const int16_t *from = sums + plan.bases[x] - plan.firstSample;
        const int16_t *weights = plan.weights + static_cast<size_t>(x) * taps;
        auto a = hn::Zero(d32), b = hn::Zero(d32);
        for (int tap = 0; tap < taps; tap += 8) {
            a = hn::ReorderWidenMulAccumulate(d32, hn::LoadU(d, from + tap), hn::LoadU(d, weights + tap), a, b);
        }
        return hn::Add(a, b);
    };
    for (int x = first; x < last; x += 4) {
        const auto s0 = sum(x), s1 = sum(x + 1), s2 = sum(x + 2), s3 = sum(x + 3);
        const auto low = hn::Add(hn::InterleaveLower(d32, s0, s1), hn::InterleaveUpper(d32, s0, s1));
        const auto high = hn::Add(hn::InterleaveLower(d32, s2, s3), hn::InterleaveUpper(d32, s2, s3));
        const auto even = hn::BitCast(d32, hn::InterleaveLower(d64, hn::BitCast(d64, low), hn::BitCast(d64, high)));
        const auto odd = hn::BitCast(d32, hn::InterleaveUpper(d64, hn::BitCast(d64, low), hn::BitCast(d64, high)));
        const auto total = hn::ShiftRight<14>(hn::Add(hn::Add(even, odd), hn::Set(d32, 1 << 13)));
        hn::StoreU(hn::DemoteTo(half, total), half, to + x);
    }
}

// MARK: Colour

/// What is done to the three rows: pointers to the row above, the row below, and the weight of the latter.
struct ThreeRows {
    /// Luma that is neither scaled nor widened; then it has no other rows.
    const uint8_t *luma;
    /// Bytes from luma to that of a row which is read soon.
    ptrdiff_t lumaAhead;
    const int16_t *above[3];
    const int16_t *below[3];
    int16_t weight[3];
};

/// The pixels of a row; `kBytes`: with luma of a byte, for at least a whole vector of pixels.
template <bool kHasChroma, int kFraction, bool kBlends, bool kBytes>
void Convert(
    const VitrailFastPlan &plan, const ThreeRows &rows, int first, int last, const int16_t *thresholds,
    uint8_t *HWY_RESTRICT out, uint8_t *HWY_RESTRICT rest) {
    const D16 d;
    const DU16 du;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    const auto most = hn::Set(d, 255);
    const auto alpha = hn::Set(du, 0xFF00);
    const auto w0 = hn::Set(d, rows.weight[0]), w1 = hn::Set(d, rows.weight[1]), w2 = hn::Set(d, rows.weight[2]);
    const auto g0 = hn::Set(d, plan.gains[0]), g1 = hn::Set(d, plan.gains[1]), g2 = hn::Set(d, plan.gains[2]);
    const auto n0 = hn::Set(d, plan.neutral[0]), n1 = hn::Set(d, plan.neutral[1]);
    const auto half = static_cast<int16_t>(plan.dithers ? 0 : 1 << (kFraction - 1));
    const auto o0 = hn::Set(d, static_cast<int16_t>(plan.offsets[0] + half));
    const auto o1 = hn::Set(d, static_cast<int16_t>(plan.offsets[1] + half));
    const auto o2 = hn::Set(d, static_cast<int16_t>(plan.offsets[2] + half));
    const auto c0 = hn::Set(d, plan.chroma[0]), c1 = hn::Set(d, plan.chroma[1]), c2 = hn::Set(d, plan.chroma[2]);
    const auto c3 = hn::Set(d, plan.chroma[3]), c4 = hn::Set(d, plan.chroma[4]), c5 = hn::Set(d, plan.chroma[5]);
    const bool isPlain = plan.chroma[0] == 0 && plan.chroma[5] == 0;
    // They repeat after eight columns, and vectors have as many or a multiple.
    const auto threshold = thresholds ? hn::ShiftRight<6 - kFraction>(hn::LoadU(d, thresholds)) : zero;
    for (int x = first; x < last; x += lanes) {
        // Nothing may be read beyond the row: the last vector overlaps the one before.
        if (kBytes && x + lanes > last) x = last - lanes;
        auto a = hn::Zero(d);
        if (kBytes) {
            const hn::Rebind<uint8_t, D16> d8;
            __builtin_prefetch(rows.luma + x + rows.lumaAhead);
            a = hn::ShiftLeft<7>(hn::PromoteTo(d, hn::LoadU(d8, rows.luma + x)));
        } else {
            a = hn::LoadU(d, rows.above[0] + x);
        }
        auto b = hn::LoadU(d, rows.above[1] + x);
        auto c = hn::LoadU(d, rows.above[2] + x);
        if (kBlends && !kBytes) {
            a = hn::Add(a, Product(d, hn::Sub(hn::LoadU(d, rows.below[0] + x), a), w0));
        }
        if (kBlends) {
            b = hn::Add(b, Product(d, hn::Sub(hn::LoadU(d, rows.below[1] + x), b), w1));
            c = hn::Add(c, Product(d, hn::Sub(hn::LoadU(d, rows.below[2] + x), c), w2));
        }
        auto red = Product(d, a, g0), green = red, blue = red;
        if (kHasChroma) {
            red = green = blue = hn::SaturatedAdd(red, o0);
            b = hn::Sub(b, n0);
            b = hn::SaturatedAdd(b, b);
            c = hn::Sub(c, n1);
            c = hn::SaturatedAdd(c, c);
            green = hn::SaturatedAdd(green, hn::Add(Product(d, b, c2), Product(d, c, c3)));
            red = hn::SaturatedAdd(red, Product(d, c, c1));
            blue = hn::SaturatedAdd(blue, Product(d, b, c4));
            if (!isPlain) {
                red = hn::SaturatedAdd(red, Product(d, b, c0));
                blue = hn::SaturatedAdd(blue, Product(d, c, c5));
            }
        } else {
            red = hn::SaturatedAdd(red, o0);
            green = hn::SaturatedAdd(Product(d, b, g1), o1);
            blue = hn::SaturatedAdd(Product(d, c, g2), o2);
        }
        if (thresholds) {
            red = hn::SaturatedAdd(red, threshold);
            green = hn::SaturatedAdd(green, threshold);
            blue = hn::SaturatedAdd(blue, threshold);
        }
        red = hn::Min(hn::Max(hn::ShiftRight<kFraction>(red), zero), most);
        green = hn::Min(hn::Max(hn::ShiftRight<kFraction>(green), zero), most);
        blue = hn::Min(hn::Max(hn::ShiftRight<kFraction>(blue), zero), most);
        const auto lowest = plan.isBlueFirst ? blue : red;
        const auto highest = plan.isBlueFirst ? red : blue;
        const auto low = hn::BitCast(du, hn::Or(lowest, hn::ShiftLeft<8>(green)));
        const auto high = hn::Or(hn::BitCast(du, highest), alpha);
        const int left = last - x;
        uint8_t *to = left >= lanes ? out + (x - first) * 4 : rest;
        hn::StoreInterleaved2(low, high, du, reinterpret_cast<uint16_t *>(to));
        if (left < lanes) std::memcpy(out + (x - first) * 4, rest, static_cast<size_t>(left) * 4);
    }
}

template <bool kHasChroma, int kFraction>
void ConvertBlended(
    const VitrailFastPlan &plan, const ThreeRows &rows, int first, int last, const int16_t *thresholds, uint8_t *out,
    uint8_t *rest) {
    const bool blends = (rows.weight[0] | rows.weight[1] | rows.weight[2]) != 0;
    if (kHasChroma && rows.luma) {
        if (blends) {
            Convert<kHasChroma, kFraction, true, kHasChroma>(plan, rows, first, last, thresholds, out, rest);
        } else {
            Convert<kHasChroma, kFraction, false, kHasChroma>(plan, rows, first, last, thresholds, out, rest);
        }
    } else if (blends) {
        Convert<kHasChroma, kFraction, true, false>(plan, rows, first, last, thresholds, out, rest);
    } else {
        Convert<kHasChroma, kFraction, false, false>(plan, rows, first, last, thresholds, out, rest);
    }
}

// MARK: Rows

void PaintRows(const VitrailFastPlan &plan, Rows *rows, int16_t **columns, uint8_t *rest, const VitrailPart &part) {
    ThreeRows three;
    // Samples of a byte for every pixel need no other row than their own.
    const VitrailComponentPlan &luma = *rows[0].plan;
    const bool readsLuma = plan.hasChroma && luma.across == VitrailAcrossSame && !HasWords(luma)
        && part.x1 - part.x0 >= static_cast<int>(hn::Lanes(D16()));
    for (int y = part.y0; y < part.y1; y++) {
        three.luma = nullptr;
        for (int index = 0; index < plan.componentCount; index++) {
            Rows &component = rows[index];
            const VitrailComponentPlan &own = *component.plan;
            three.weight[index] = 0;
            if (index == 0 && readsLuma && own.rowWeights[y] == 0) {
                three.luma = ByteRow(component, own.rows[y]);
                three.lumaAhead = component.samples.right == 1 ? 2 * component.samples.down : 0;
                continue;
            }
            if (own.across == VitrailAcrossTaps) {
                SumRows(component, y);
                SumColumns(own, component.sums, component.first, component.last, columns[index]);
                three.above[index] = three.below[index] = columns[index];
                continue;
            }
            const int row = own.rows[y];
            three.weight[index] = own.rowWeights[y];
            // A reduction leaves out rows.
            const int next = y + 1 < part.y1 ? own.rows[y + 1] : row;
            const bool hasTwo = own.rowWeights[y] != 0;
            three.above[index] = KeptRow(component, row, hasTwo ? row + 1 : next);
            three.below[index] = hasTwo ? KeptRow(component, row + 1, std::max(next, row + 2)) : three.above[index];
        }
        for (int index = plan.componentCount; index < 3; index++) {
            three.above[index] = three.above[0];
            three.below[index] = three.below[0];
            three.weight[index] = three.weight[0];
        }
        const int16_t *thresholds = plan.dithers ? kThresholds.rows[y & 7] + (part.x0 & 7) : nullptr;
        uint8_t *out = part.pixels + (y - part.y0) * part.bytesPerRow;
        if (plan.hasChroma) {
            if (plan.fraction == 6) ConvertBlended<true, 6>(plan, three, part.x0, part.x1, thresholds, out, rest);
            if (plan.fraction == 5) ConvertBlended<true, 5>(plan, three, part.x0, part.x1, thresholds, out, rest);
        } else {
            if (plan.fraction == 6) ConvertBlended<false, 6>(plan, three, part.x0, part.x1, thresholds, out, rest);
            if (plan.fraction == 5) ConvertBlended<false, 5>(plan, three, part.x0, part.x1, thresholds, out, rest);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(PaintRows);
}

VitrailScratch *vitrail_scratch_make(void) { return new VitrailScratch(); }

void vitrail_scratch_free(VitrailScratch *scratch) { delete scratch; }

bool vitrail_paint_fast(
    VitrailScratch *scratch, const VitrailFastPlan *plan, const VitrailSamples *samples, VitrailPart part) {
    using namespace vitrail;
    Rows rows[3];
    int16_t *columns[3] = {};
    const size_t pitch = static_cast<size_t>(plan->width) + 2 * kSlack;
    for (int index = 0; index < plan->componentCount; index++) {
        const VitrailComponentPlan &own = plan->components[index];
        const size_t length = static_cast<size_t>(own.width) + 2 * kSlack;
        Rows &component = rows[index];
        component.plan = &own;
        component.samples = samples[index];
        component.first = part.x0 & ~15;
        component.last = part.x1;
        component.keys[0] = component.keys[1] = -1;
        component.turnedKey = -1;
        component.turnedPitch = static_cast<int>(length);
        const size_t row = std::max(pitch, length);
        component.kept[0] = scratch->block<int16_t>(index * 7, row);
        component.kept[1] = scratch->block<int16_t>(index * 7 + 1, row);
        component.bytes = scratch->block<uint8_t>(index * 7 + 2, length);
        component.words = scratch->block<int16_t>(index * 7 + 3, length);
        component.sums = scratch->block<int16_t>(index * 7 + 4, length + static_cast<size_t>(own.taps));
        columns[index] = scratch->block<int16_t>(index * 7 + 5, pitch);
        const ptrdiff_t right = samples[index].right;
        component.turned = right >= 0 && right <= 8 ? component.bytes : scratch->block<uint8_t>(index * 7 + 6, length * 32);
        if (!component.kept[0] || !component.kept[1] || !component.bytes || !component.words || !component.sums
            || !columns[index] || !component.turned) {
            return false;
        }
    }
    uint8_t *rest = scratch->block<uint8_t>(21, 4 * kSlack);
    if (!rest) return false;
    HWY_DYNAMIC_DISPATCH(PaintRows)(*plan, rows, columns, rest, part);
    return true;
}
#endif
