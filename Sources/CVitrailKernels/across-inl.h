// Rows of samples that become as wide as the picture, for the fast painter.
// Compiled once for each instruction set.
#if defined(VITRAIL_ACROSS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRAIL_ACROSS_INL_H
#undef VITRAIL_ACROSS_INL_H
#else
#define VITRAIL_ACROSS_INL_H
#endif
#include "rows-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

/// Fetches a row of samples into the cache: on their own, processors prefetch only along the current row.
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

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();
#endif
