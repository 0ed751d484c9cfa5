// Reading back: from R'G'B' to Y, Cb and Cr.
#include "include/CVitrailKernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encode.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef VITRAIL_ENCODE_ONCE
#define VITRAIL_ENCODE_ONCE
namespace vitrail {
/// A row of the matrix and the offset, for sums with seven fractional bits.
struct Weights {
    int16_t red, green, blue, offset;

    explicit Weights(const float *row)
        : red(Fixed(row[0])), green(Fixed(row[1])), blue(Fixed(row[2])),
          offset(static_cast<int16_t>(std::lround(row[3] * 128) + 64)) {}

    static int16_t Fixed(float value) {
        return static_cast<int16_t>(std::clamp(std::lround(value * 32768), -32768L, 32767L));
    }

    /// One value of sums with seven fractional bits.
    uint8_t operator()(int r, int g, int b) const {
        const auto product = [](int value, int weight) { return (value * weight + (1 << 14)) >> 15; };
        const int sum = product(r, red) + product(g, green) + product(b, blue) + offset;
        return static_cast<uint8_t>(std::clamp(sum >> 7, 0, 255));
    }
};
}  // namespace vitrail
#endif

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<int16_t>;
using D8 = hn::Rebind<uint8_t, D>;
using V = hn::Vec<D>;

HWY_INLINE V Encoded(const Weights &weights, V red, V green, V blue) {
    const D d;
    V sum = hn::SaturatedAdd(
        hn::MulFixedPoint15(red, hn::Set(d, weights.red)), hn::MulFixedPoint15(green, hn::Set(d, weights.green)));
    sum = hn::SaturatedAdd(sum, hn::MulFixedPoint15(blue, hn::Set(d, weights.blue)));
    return hn::ShiftRight<7>(hn::SaturatedAdd(sum, hn::Set(d, weights.offset)));
}

void EncodeLuma(const uint8_t *HWY_RESTRICT from, int width, const Weights &weights, uint8_t *HWY_RESTRICT to) {
    const D d;
    const D8 d8;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        hn::Vec<D8> r, g, b, a;
        hn::LoadInterleaved4(d8, from + 4 * x, r, g, b, a);
        const V y = Encoded(
            weights, hn::ShiftLeft<7>(hn::PromoteTo(d, r)), hn::ShiftLeft<7>(hn::PromoteTo(d, g)),
            hn::ShiftLeft<7>(hn::PromoteTo(d, b)));
        hn::StoreU(hn::DemoteTo(d8, y), d8, to + x);
    }
    for (; x < width; x++) to[x] = weights(from[4 * x] << 7, from[4 * x + 1] << 7, from[4 * x + 2] << 7);
}

/// The mean of four pixels, with seven fractional bits.
HWY_INLINE V Mean(hn::Vec<hn::Repartition<uint8_t, D>> above, hn::Vec<hn::Repartition<uint8_t, D>> below) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const auto pairs = [&](auto row) {
        const auto two = hn::BitCast(du, row);
        return hn::Add(hn::And(two, hn::Set(du, 0xFF)), hn::ShiftRight<8>(two));
    };
    return hn::BitCast(d, hn::ShiftLeft<5>(hn::Add(pairs(above), pairs(below))));
}

void EncodeChroma(
    const uint8_t *HWY_RESTRICT above, const uint8_t *HWY_RESTRICT below, int width, const Weights &first,
    const Weights &second, uint8_t *HWY_RESTRICT cb, uint8_t *HWY_RESTRICT cr) {
    const D d;
    const D8 half;
    const hn::Repartition<uint8_t, D> d8;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = 0;
    for (; (x + lanes) * 2 <= width; x += lanes) {
        hn::Vec<decltype(d8)> r0, g0, b0, r1, g1, b1, alpha;
        hn::LoadInterleaved4(d8, above + 8 * x, r0, g0, b0, alpha);
        hn::LoadInterleaved4(d8, below + 8 * x, r1, g1, b1, alpha);
        const V r = Mean(r0, r1), g = Mean(g0, g1), b = Mean(b0, b1);
        hn::StoreU(hn::DemoteTo(half, Encoded(first, r, g, b)), half, cb + x);
        hn::StoreU(hn::DemoteTo(half, Encoded(second, r, g, b)), half, cr + x);
    }
    for (; 2 * x < width; x++) {
        const int left = 8 * x, right = 4 * std::min(2 * x + 1, width - 1);
        int sums[3];
        for (int i = 0; i < 3; i++) sums[i] = (above[left + i] + above[right + i] + below[left + i] + below[right + i]) << 5;
        cb[x] = first(sums[0], sums[1], sums[2]);
        cr[x] = second(sums[0], sums[1], sums[2]);
    }
}

void EncodeRows(
    bool halvesRows, const uint8_t *pixels, ptrdiff_t bytesPerRow, int width, int height, int y0, int y1, uint8_t *const *planes,
    const ptrdiff_t *strides, const float *weights) {
    const Weights luma(weights), cb(weights + 4), cr(weights + 8);
    for (int y = y0; y < y1; y++) {
        EncodeLuma(pixels + y * bytesPerRow, width, luma, planes[0] + y * strides[0]);
        if (halvesRows && y % 2 != 0) continue;
        const int below = halvesRows ? std::min(y + 1, height - 1) : y;
        const int row = halvesRows ? y / 2 : y;
        EncodeChroma(
            pixels + y * bytesPerRow, pixels + below * bytesPerRow, width, cb, cr, planes[1] + row * strides[1],
            planes[2] + row * strides[2]);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(EncodeRows);
}

void vitrail_encode_planes(
    bool halvesRows, const uint8_t *pixels, ptrdiff_t bytesPerRow, int32_t width, int32_t height, int32_t y0, int32_t y1,
    uint8_t *const *planes, const ptrdiff_t *strides, const float *weights) {
    HWY_DYNAMIC_DISPATCH(vitrail::EncodeRows)
    (halvesRows, pixels, bytesPerRow, width, height, y0, y1, planes, strides, weights);
}
#endif
