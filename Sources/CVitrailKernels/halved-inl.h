// YCbCr with half the columns of chroma, at its own width: the most frequent frames, and the fastest way to draw them.
//
// Pairs of Cb and Cr, or of Cr and Cb, stay together up to the pixel, of which they become the low and the high half.
// Even and odd columns are computed separately. Chroma is exact in 16 bits.

// Compiled once for each instruction set.
#if defined(VITRAIL_HALVED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRAIL_HALVED_INL_H
#undef VITRAIL_HALVED_INL_H
#else
#define VITRAIL_HALVED_INL_H
#endif
#include "rows-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether chroma samples lie side by side, in planes of their own or in pairs.
inline bool CanReadPairs(const VitrailSamples *samples) {
    const ptrdiff_t right = samples[1].right, apart = samples[2].first - samples[1].first;
    if (samples[2].right != right || samples[2].down != samples[1].down) return false;
    return right == 1 || (right == 2 && (apart == 1 || apart == -1));
}

/// Two rows of chroma times `64 - weight` and `weight`, as pairs: `kStep` is 2 if they are pairs in memory.
template <int kStep, bool kSwaps>
void MixChroma(
    const uint8_t *const *above, const uint8_t *const *below, int first, int last, int weight, uint16_t *HWY_RESTRICT to) {
    const DU16 d;
    const hn::Repartition<uint32_t, DU16> d32;
    const hn::Rebind<uint8_t, decltype(d32)> single;
    const hn::Rebind<uint8_t, DU16> pair;
    const int lanes = static_cast<int>(hn::Lanes(d32));
    const auto upper = hn::Set(d, static_cast<uint16_t>(64 - weight)), lower = hn::Set(d, static_cast<uint16_t>(weight));
    const auto load = [&](const uint8_t *const *row, int i) HWY_ATTR __attribute__((always_inline)) {
        if (kStep == 1) {
            const auto high = hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(single, row[1] + i)));
            return hn::BitCast(d, hn::Or(hn::PromoteTo(d32, hn::LoadU(single, row[0] + i)), high));
        }
        const auto both = hn::PromoteTo(d, hn::LoadU(pair, (kSwaps ? row[1] : row[0]) + 2 * i));
        return kSwaps ? hn::BitCast(d, hn::RotateRight<16>(hn::BitCast(d32, both))) : both;
    };
    int i = first;
    for (; i + lanes <= last; i += lanes) {
        hn::StoreU(hn::Add(hn::Mul(load(above, i), upper), hn::Mul(load(below, i), lower)), d, to + 2 * i);
    }
    for (; i < last; i++) {
        for (int j = 0; j < 2; j++) {
            to[2 * i + j] = static_cast<uint16_t>(above[j][kStep * i] * (64 - weight) + below[j][kStep * i] * weight);
        }
    }
}

/// The pixels of columns x0 up to x1 of a row; `chroma` is what `MixChroma` made, with a pair beyond each end.
template <bool kIsCentred>
void ConvertHalved(
    const VitrailFastPlan &plan, const uint8_t *HWY_RESTRICT luma, ptrdiff_t lumaAhead, const uint16_t *HWY_RESTRICT chroma,
    int x0, int x1, uint8_t *HWY_RESTRICT out, uint8_t *HWY_RESTRICT rest) {
    const D16 d;
    const DU16 du;
    const hn::Repartition<int32_t, D16> d32;
    const hn::Repartition<uint32_t, D16> du32;
    const hn::Repartition<uint8_t, D16> d8;
    const hn::Rebind<uint8_t, D16> half;
    const int lanes = static_cast<int>(hn::Lanes(d));
    alignas(16) static constexpr uint8_t kEven[16] = {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13};
    alignas(16) static constexpr uint8_t kOdd[16] = {2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15};
    const auto evens = hn::LoadDup128(d8, kEven), odds = hn::LoadDup128(d8, kOdd);
    const auto factors = [&](int16_t cb, int16_t cr) HWY_ATTR {
        const uint16_t low = static_cast<uint16_t>(plan.isBlueFirst ? cb : cr);
        const uint16_t high = static_cast<uint16_t>(plan.isBlueFirst ? cr : cb);
        return hn::BitCast(d, hn::Set(du32, low | static_cast<uint32_t>(high) << 16));
    };
    // The lower half of a pixel is blue or red, the upper half the other.
    const auto outer = factors(plan.chroma[4], plan.chroma[1]);
    const auto green = factors(static_cast<int16_t>(2 * plan.chroma[2]), static_cast<int16_t>(2 * plan.chroma[3]));
    const auto gain = hn::Set(d, plan.gains[0]);
    // Added so that white becomes the largest signed 16-bit value, at which saturating sums clip by themselves.
    const auto black = static_cast<int16_t>(1 << 14);
    const auto lowest = hn::Set(d, black);
    const auto offset = hn::Set(d, static_cast<int16_t>(plan.offsets[0] + 32 + black));
    const auto greenOffset = hn::Set(d32, (plan.offsets[0] + 32 + black) * 65536 + 32768);
    const auto middle = hn::Set(du, 0x8000);
    const auto byte = hn::Set(du, 0xFF);
    const auto greenByte = hn::Set(du32, 0xFF00u), alpha = hn::Set(du32, 0xFF000000u);
    const auto pixels = [&](hn::Vec<D16> brightness, hn::Vec<DU16> pairs) HWY_ATTR __attribute__((always_inline)) {
        // Twice the distance from the neutral value, which is at most 32767.
        const auto difference = hn::BitCast(d, hn::Xor(pairs, middle));
        // Luma is added last: all that it adds is positive.
        const auto sums =
            hn::SaturatedAdd(hn::SaturatedAdd(hn::MulFixedPoint15(difference, outer), offset), brightness);
        auto more = hn::Zero(d32);
        const auto product = hn::ReorderWidenMulAccumulate(d32, difference, green, hn::Zero(d32), more);
        // Green is in the upper half.
        const auto share = hn::Add(hn::RearrangeToOddPlusEven(product, more), greenOffset);
        const auto greens = hn::SaturatedAdd(hn::BitCast(d, share), brightness);
        const auto two = hn::And(hn::ShiftRight<6>(hn::BitCast(du, hn::Max(sums, lowest))), byte);
        const auto one = hn::And(hn::ShiftRight<14>(hn::BitCast(du32, hn::Max(greens, lowest))), greenByte);
        return hn::Or(hn::Or(hn::BitCast(du32, two), one), alpha);
    };
    for (int x = x0 & ~1; x < x1; x += lanes) {
        const bool isWhole = x >= x0 && x + lanes <= x1;
        const uint8_t *from = luma + x;
        uint8_t *to = out + (x - x0) * 4;
        if (isWhole) {
            __builtin_prefetch(from + lumaAhead);
        } else {
            to = rest;
            from = rest + 4 * lanes;
            std::memcpy(rest + 4 * lanes, luma + x, static_cast<size_t>(std::min(lanes, x1 - x)));
        }
        const auto values = hn::ShiftLeft<7>(hn::PromoteTo(d, hn::LoadU(half, from)));
        const auto brightness = hn::BitCast(d8, hn::MulFixedPoint15(values, gain));
        const auto own = hn::LoadU(du, chroma + x), next = hn::LoadU(du, chroma + x + 2);
        auto even = hn::ShiftLeft<2>(own), odd = hn::ShiftLeft<1>(hn::Add(own, next));
        if (kIsCentred) {
            const auto three = hn::Add(hn::Add(own, own), own);
            even = hn::Add(three, hn::LoadU(du, chroma + x - 2));
            odd = hn::Add(three, next);
        }
        hn::StoreInterleaved2(
            pixels(hn::BitCast(d, hn::TableLookupBytes(brightness, evens)), even),
            pixels(hn::BitCast(d, hn::TableLookupBytes(brightness, odds)), odd), du32, reinterpret_cast<uint32_t *>(to));
        if (!isWhole) {
            const int left = std::max(x, x0), right = std::min(x + lanes, x1);
            std::memcpy(out + (left - x0) * 4, rest + (left - x) * 4, static_cast<size_t>(right - left) * 4);
        }
    }
}

/// Draws rows; `chroma` has room for a row of pairs, and `kSlack` values before and after it.
void PaintHalved(const VitrailFastPlan &plan, Rows *rows, uint16_t *chroma, uint8_t *rest, const VitrailPart &part) {
    const VitrailComponentPlan &own = *rows[1].plan;
    const int lowest = plan.isBlueFirst ? 1 : 2, count = own.width;
    // The pairs that the columns need, and their neighbours.
    const int first = std::max(0, part.x0 / 2 - 1), last = std::min(count, part.x1 / 2 + 2);
    chroma += kSlack;
    for (int y = part.y0; y < part.y1; y++) {
        const int row = own.rows[y], weight = own.rowWeights[y] >> 9, next = row + (weight != 0);
        const auto place = [&](int component, int row) {
            return rows[component].samples.first + row * rows[component].samples.down;
        };
        const uint8_t *above[2] = {place(lowest, row), place(3 - lowest, row)};
        const uint8_t *below[2] = {place(lowest, next), place(3 - lowest, next)};
        if (rows[1].samples.right == 1) {
            MixChroma<1, false>(above, below, first, last, weight, chroma);
        } else if (above[0] < above[1]) {
            MixChroma<2, false>(above, below, first, last, weight, chroma);
        } else {
            MixChroma<2, true>(above, below, first, last, weight, chroma);
        }
        // Beyond the edges are the outermost samples.
        for (int i = 0; i < 2; i++) {
            if (first == 0) chroma[i - 2] = chroma[i];
            if (last == count) chroma[2 * count + i] = chroma[2 * count - 2 + i];
        }
        const uint8_t *luma = ByteRow(rows[0], rows[0].plan->rows[y]);
        const ptrdiff_t ahead = rows[0].samples.right == 1 ? 2 * rows[0].samples.down : 0;
        uint8_t *out = part.pixels + (y - part.y0) * part.bytesPerRow;
        if (plan.halved == VitrailHalvedCentred) {
            ConvertHalved<true>(plan, luma, ahead, chroma, part.x0, part.x1, out, rest);
        } else {
            ConvertHalved<false>(plan, luma, ahead, chroma, part.x0, part.x1, out, rest);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();
#endif
