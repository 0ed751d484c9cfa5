// The fast painter: see `CVitrailKernels.h`.
#include "effects.h"
#include "include/CVitrailKernels.h"
#include "scratch.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "across-inl.h"
#include "halved-inl.h"
#include "rows-inl.h"
#include "taps-inl.h"

#ifndef VITRAIL_FAST_ONCE
#define VITRAIL_FAST_ONCE

namespace vitrail {

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

}  // namespace vitrail
#endif

HWY_BEFORE_NAMESPACE();
// For processors without vectors that are known: what is unrolled for them is only large.
#if HWY_TARGET == HWY_EMU128
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// MARK: Colour

/// How the rows of the three components are mixed: the row above, the row below, and the weight of the latter.
struct ThreeRows {
    /// The luma in memory, if it is neither scaled nor widened; then `above` and `below` have no luma.
    const uint8_t *luma;
    /// Bytes from `luma` to the luma of a row that is needed soon.
    ptrdiff_t lumaAhead;
    const int16_t *above[3];
    const int16_t *below[3];
    int16_t weight[3];
};

/// Where the pixels of a row go.
struct RowTarget {
    uint8_t *pixels;
    /// Room for a vector of pixels.
    uint8_t *rest;
    /// If not null, sums of red, green and blue, not rounded, go here instead of pixels.
    int16_t *const *sums;
};

/// Computes the pixels of a row; `kBytes`: luma has one byte a sample, and there is at least a whole vector of pixels.
template <bool kHasChroma, int kFraction, bool kBlends, bool kBytes>
void Convert(
    const VitrailFastPlan &plan, const ThreeRows &rows, int first, int last, const int16_t *thresholds,
    const RowTarget &target) {
    uint8_t *const out = target.pixels, *const rest = target.rest;
    int16_t *const *const sums = target.sums;
    const bool showsLuma = plan.showsLuma;
    const D16 d;
    const DU16 du;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    const auto most = hn::Set(d, 255);
    const auto alpha = hn::Set(du, 0xFF00);
    const auto w0 = hn::Set(d, rows.weight[0]), w1 = hn::Set(d, rows.weight[1]), w2 = hn::Set(d, rows.weight[2]);
    const auto g0 = hn::Set(d, plan.gains[0]), g1 = hn::Set(d, plan.gains[1]), g2 = hn::Set(d, plan.gains[2]);
    const auto n0 = hn::Set(d, plan.neutral[0]), n1 = hn::Set(d, plan.neutral[1]);
    const auto half = static_cast<int16_t>(plan.dithers || sums || showsLuma ? 0 : 1 << (kFraction - 1));
    const auto white = hn::Set(d, 255 << kFraction);
    const auto lumaHalf = hn::Set(d, plan.dithers ? 0 : 1 << (kFraction - 1));
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
        if (sums) {
            hn::StoreU(red, d, sums[0] + x);
            hn::StoreU(green, d, sums[1] + x);
            hn::StoreU(blue, d, sums[2] + x);
            continue;
        }
        if (showsLuma) {
            const auto clamped = [&](hn::Vec<D16> value) HWY_ATTR __attribute__((always_inline)) {
                return hn::Min(hn::Max(value, zero), white);
            };
            const auto most = Product(d, clamped(green), hn::Set(d, 23436));
            const auto rest = hn::Add(
                Product(d, clamped(red), hn::Set(d, 6966)), Product(d, clamped(blue), hn::Set(d, 2366)));
            red = green = blue = hn::Add(hn::Add(most, rest), lumaHalf);
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
    const VitrailFastPlan &plan, const ThreeRows &rows, int first, int last, const int16_t *thresholds,
    const RowTarget &target) {
    const bool blends = (rows.weight[0] | rows.weight[1] | rows.weight[2]) != 0;
    if (kHasChroma && rows.luma) {
        if (blends) {
            Convert<kHasChroma, kFraction, true, kHasChroma>(plan, rows, first, last, thresholds, target);
        } else {
            Convert<kHasChroma, kFraction, false, kHasChroma>(plan, rows, first, last, thresholds, target);
        }
    } else if (blends) {
        Convert<kHasChroma, kFraction, true, false>(plan, rows, first, last, thresholds, target);
    } else {
        Convert<kHasChroma, kFraction, false, false>(plan, rows, first, last, thresholds, target);
    }
}

// MARK: Rows

/// Draws rows, or only makes their sums; those are not for halved chroma.
void PaintRows(
    const VitrailFastPlan &plan, Rows *rows, int16_t **columns, uint16_t *pairs, uint8_t *rest, int16_t *const *sums,
    const VitrailPart &part) {
    const VitrailSamples samples[3] = {rows[0].samples, rows[1].samples, rows[2].samples};
    if (plan.halved != VitrailHalvedNot && !sums && CanReadPairs(samples)) {
        return PaintHalved(plan, rows, pairs, rest, part);
    }
    ThreeRows three;
    // Luma of a byte for every pixel can be read in place, unless two rows are mixed.
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
            // The next row is not always `row + 1`, because a reduction skips rows.
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
        const int16_t *thresholds = plan.dithers && !sums ? kThresholds.rows[y & 7] + (part.x0 & 7) : nullptr;
        const RowTarget target{sums ? nullptr : part.pixels + (y - part.y0) * part.bytesPerRow, rest, sums};
        if (plan.hasChroma) {
            if (plan.fraction == 6) ConvertBlended<true, 6>(plan, three, part.x0, part.x1, thresholds, target);
            if (plan.fraction == 5) ConvertBlended<true, 5>(plan, three, part.x0, part.x1, thresholds, target);
        } else {
            if (plan.fraction == 6) ConvertBlended<false, 6>(plan, three, part.x0, part.x1, thresholds, target);
            if (plan.fraction == 5) ConvertBlended<false, 5>(plan, three, part.x0, part.x1, thresholds, target);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
#if HWY_TARGET == HWY_EMU128
#pragma clang attribute pop
#endif
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(PaintRows);
}

VitrailScratch *vitrail_scratch_make(void) { return new VitrailScratch(); }

void vitrail_scratch_free(VitrailScratch *scratch) { delete scratch; }

namespace vitrail {
namespace {

/// What the painter keeps from row to row.
struct FastState {
    const VitrailFastPlan *plan;
    Rows rows[3] = {};
    int16_t *columns[3] = {};
    uint8_t *rest = nullptr;
    uint16_t *pairs = nullptr;

    /// Prepares columns x0 up to x1; false if there is no memory.
    bool Begin(
        VitrailScratch *scratch, const VitrailFastPlan *plan, const VitrailSamples *samples, int x0, int x1) {
        this->plan = plan;
        const size_t pitch = static_cast<size_t>(plan->width) + 2 * kSlack;
        for (int index = 0; index < plan->componentCount; index++) {
            const VitrailComponentPlan &own = plan->components[index];
            const size_t length = static_cast<size_t>(own.width) + 2 * kSlack;
            Rows &component = rows[index];
            component.plan = &own;
            component.samples = samples[index];
            component.first = x0 & ~15;
            component.last = x1;
            component.keys[0] = component.keys[1] = -1;
            component.turnedKey = -1;
            component.turnedPitch = static_cast<int>(length);
            const size_t row = std::max(pitch, length);
            const int first = index * 8;
            component.kept[0] = scratch->block<int16_t>(first, row);
            component.kept[1] = scratch->block<int16_t>(first + 1, row);
            component.bytes[0] = scratch->block<uint8_t>(first + 2, 2 * length);
            component.words[0] = scratch->block<int16_t>(first + 3, 2 * length);
            component.wholeSums = scratch->block<int32_t>(first + 4, length);
            component.sums = scratch->block<int16_t>(first + 5, length + static_cast<size_t>(own.taps));
            columns[index] = scratch->block<int16_t>(first + 6, pitch);
            const ptrdiff_t right = samples[index].right;
            component.turned =
                right >= 0 && right <= 8 ? component.bytes[0] : scratch->block<uint8_t>(first + 7, length * 32);
            if (!component.kept[0] || !component.kept[1] || !component.bytes[0] || !component.words[0]
                || !component.wholeSums || !component.sums || !columns[index] || !component.turned) {
                return false;
            }
            component.bytes[1] = component.bytes[0] + length;
            component.words[1] = component.words[0] + length;
        }
        rest = scratch->block<uint8_t>(24, 4 * kSlack);
        pairs = scratch->block<uint16_t>(25, static_cast<size_t>(plan->width) + 3 * kSlack);
        return rest && pairs;
    }

    void Paint(int16_t *const *sums, const VitrailPart &part) {
        HWY_DYNAMIC_DISPATCH(PaintRows)(*plan, rows, columns, pairs, rest, sums, part);
    }
};

/// The colours of rows, for effects.
class FastSource : public RowSource {
public:
    /// Prepares columns x0 up to x1; false if there is no memory.
    bool Begin(
        VitrailScratch *scratch, const VitrailFastPlan *plan, const VitrailSamples *samples, int x0, int x1) {
        first = x0;
        last = x1;
        const size_t pitch = static_cast<size_t>(plan->width) + 2 * kSlack;
        int16_t *memory = scratch->block<int16_t>(27, 3 * pitch);
        for (int i = 0; i < 3; i++) sums[i] = memory + i * pitch;
        return memory && Allocate(*scratch, plan->width) && state.Begin(scratch, plan, samples, x0, x1);
    }

    void Row(int y) override {
        state.Paint(sums, VitrailPart{nullptr, 0, first, y, last, y + 1});
        ToColors(sums, state.plan->fraction, first, last, colors);
    }

private:
    FastState state;
    int16_t *sums[3];
};

}  // namespace
}  // namespace vitrail

bool vitrail_paint_fast(
    VitrailScratch *scratch, const VitrailFastPlan *plan, const VitrailSamples *samples, const VitrailEffects *effects,
    VitrailPart part) {
    using namespace vitrail;
    if (!effects) {
        FastState state;
        if (!state.Begin(scratch, plan, samples, part.x0, part.x1)) return false;
        state.Paint(nullptr, part);
        return true;
    }
    int x0 = part.x0, x1 = part.x1;
    Reach(*effects, effects->count, x0, x1);
    FastSource source;
    if (!source.Begin(scratch, plan, samples, x0, x1)) return false;
    PaintWithEffects(source, *effects, plan->isBlueFirst ? VitrailBGRA8 : VitrailRGBA8, part);
    return true;
}

bool vitrail_measure_fast(
    VitrailScratch *scratch, const VitrailFastPlan *plan, const VitrailSamples *samples, const VitrailEffects *effects,
    int32_t number, int32_t row) {
    using namespace vitrail;
    int x0, x1;
    ReachOfBlocks(*effects, number, x0, x1);
    FastSource source;
    if (!source.Begin(scratch, plan, samples, x0, x1)) return false;
    MeasureBlocks(source, *effects, number, row);
    return true;
}
#endif
