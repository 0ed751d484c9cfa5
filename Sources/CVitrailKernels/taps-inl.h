// Weighted sums of any number of samples, for the fast painter: exact in 32 bits, and rounded once in each direction.
#include <type_traits>

// Compiled once for each instruction set.
#if defined(VITRAIL_TAPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRAIL_TAPS_INL_H
#undef VITRAIL_TAPS_INL_H
#else
#define VITRAIL_TAPS_INL_H
#endif
#include "rows-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds two rows of samples times their weights to sums, or sets these.
template <bool kIsFirst, class T>
void AddRows(const T *HWY_RESTRICT a, const T *HWY_RESTRICT b, int count, int16_t first, int16_t second, int32_t *HWY_RESTRICT sums) {
    const D16 d;
    const hn::Repartition<int32_t, D16> d32;
    const hn::Repartition<uint32_t, D16> du;
    const hn::Rebind<std::make_unsigned_t<T>, decltype(du)> narrow;
    const int lanes = static_cast<int>(hn::Lanes(d32));
    const uint32_t both = static_cast<uint16_t>(first) | static_cast<uint32_t>(static_cast<uint16_t>(second)) << 16;
    const auto weights = hn::BitCast(d, hn::Set(du, both));
    const auto load = [&](const T *from) HWY_ATTR {
        return hn::PromoteTo(du, hn::LoadU(narrow, reinterpret_cast<const std::make_unsigned_t<T> *>(from)));
    };
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto samples = hn::Or(load(a + i), hn::ShiftLeft<16>(load(b + i)));
        auto rest = hn::Zero(d32);
        const auto sum = hn::ReorderWidenMulAccumulate(d32, hn::BitCast(d, samples), weights, hn::Zero(d32), rest);
        const auto product = hn::RearrangeToOddPlusEven(sum, rest);
        hn::StoreU(kIsFirst ? product : hn::Add(hn::LoadU(d32, sums + i), product), d32, sums + i);
    }
    for (; i < count; i++) sums[i] = a[i] * first + b[i] * second + (kIsFirst ? 0 : sums[i]);
}

/// Sums the rows of samples that a row of the picture needs: two in each turn, of which the first has an even number.
template <class T, class Read>
void SumRows(Rows &rows, int y, const Read &read) {
    const VitrailComponentPlan &plan = *rows.plan;
    const int count = plan.sampleCount, first = plan.rows[y], end = first + plan.rowTaps;
    const int16_t *weights = plan.rowWeights + static_cast<ptrdiff_t>(y) * plan.rowTaps;
    const auto weight = [&](int row) { return row < first || row >= end ? int16_t{0} : weights[row - first]; };
    bool isFirst = true;
    for (int row = first & ~1; row < end; row += 2) {
        const int16_t upper = weight(row), lower = weight(row + 1);
        if (upper == 0 && lower == 0) continue;
        // A row without weight may be outside the picture.
        const T *a = upper != 0 ? read(rows, row) + plan.firstSample : nullptr;
        const T *b = lower != 0 ? read(rows, row + 1) + plan.firstSample : a;
        if (!a) a = b;
        if (isFirst) {
            AddRows<true>(a, b, count, upper, lower, rows.wholeSums);
        } else {
            AddRows<false>(a, b, count, upper, lower, rows.wholeSums);
        }
        isFirst = false;
    }
}

/// Sums the rows of samples that a row of the picture needs, with six fractional bits.
void SumRows(Rows &rows, int y) {
    const VitrailComponentPlan &plan = *rows.plan;
    // Samples of 15 bits have seven fractional bits.
    const int shift = plan.rowShift - (HasWords(plan) ? -1 : 6);
    if (HasWords(plan)) {
        SumRows<int16_t>(rows, y, WordRow);
    } else {
        SumRows<uint8_t>(rows, y, ByteRow);
    }
    const hn::Rebind<int32_t, hn::Half<D16>> d32;
    const hn::Half<D16> half;
    const int lanes = static_cast<int>(hn::Lanes(d32));
    const auto round = hn::Set(d32, 1 << (shift - 1));
    // Both have room for whole vectors.
    for (int i = 0; i < plan.sampleCount; i += lanes) {
        const auto sum = hn::ShiftRightSame(hn::Add(hn::LoadU(d32, rows.wholeSums + i), round), shift);
        hn::StoreU(hn::DemoteTo(half, sum), half, rows.sums + i);
    }
}

/// Sums the columns of samples that each column of the picture needs: four columns in each turn.
void SumColumns(const VitrailComponentPlan &plan, const int16_t *HWY_RESTRICT sums, int first, int last, int16_t *HWY_RESTRICT to) {
    const hn::FixedTag<int16_t, 8> d;
    const hn::FixedTag<int32_t, 4> d32;
    const hn::FixedTag<int64_t, 2> d64;
    const hn::FixedTag<int16_t, 4> half;
    const int taps = plan.taps, shift = plan.columnShift;
    const auto round = hn::Set(d32, 1 << (shift - 1));
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
        const auto total = hn::ShiftRightSame(hn::Add(hn::Add(even, odd), round), shift);
        hn::StoreU(hn::DemoteTo(half, total), half, to + x);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();
#endif
