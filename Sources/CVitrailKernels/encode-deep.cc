// From R'G'B' of 10 bits to Y, Cb and Cr of 10 bits: see `CVitrailKernels.h`. 32-bit numbers are exact enough: sums of
// four pixels have 12 bits, and the error of the rest is far below a code value.
#include "include/CVitrailKernels.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encode-deep.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef VITRAIL_ENCODE_DEEP_ONCE
#define VITRAIL_ENCODE_DEEP_ONCE
namespace vitrail {

/// Where the pixels of two rows are, and their results; there may be no lower row of luma.
struct DeepRows {
    const uint8_t *above, *below;
    uint16_t *luma[2], *first, *second;

    /// The same rows from another column on, which is even.
    DeepRows From(int x) const {
        return {
            above + 4 * x, below + 4 * x, {luma[0] + x, luma[1] ? luma[1] + x : nullptr}, first + x / 2,
            second + x / 2};
    }
};

}  // namespace vitrail
#endif

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
using DWord = hn::FixedTag<uint32_t, 8>;
#else
using DWord = hn::FixedTag<uint32_t, 4>;
#endif
using DNumber = hn::Repartition<float, DWord>;
using DInteger = hn::Repartition<int32_t, DWord>;
using DSample = hn::Rebind<uint16_t, DInteger>;
using VNumber = hn::Vec<DNumber>;

/// The pixels of a vector, and of two, which are encoded at once.
constexpr int kDeepPixels = HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE ? 8 : 4;
constexpr int kDeepTurn = 2 * kDeepPixels;

/// Writes a sample for each sum of R, G and B.
HWY_INLINE void StoreSamples(const float *row, float share, VNumber red, VNumber green, VNumber blue, uint16_t *to) {
    const DNumber d;
    auto value = hn::MulAdd(red, hn::Set(d, row[0] * share), hn::Set(d, row[3] + 0.5f));
    value = hn::MulAdd(green, hn::Set(d, row[1] * share), value);
    value = hn::MulAdd(blue, hn::Set(d, row[2] * share), value);
    const auto level = hn::ConvertTo(DInteger(), hn::Min(value, hn::Set(d, 1023.0f)));
    hn::StoreU(hn::DemoteTo(DSample(), level), DSample(), to);
}

/// The sums of neighbouring columns of two vectors.
HWY_INLINE VNumber Pairs(VNumber left, VNumber right) {
    const DNumber d;
    return hn::Add(hn::ConcatEven(d, right, left), hn::ConcatOdd(d, right, left));
}

/// Two rows of `kDeepTurn` pixels, which share chroma.
HWY_INLINE void EncodeDeepTurn(const float *weights, const DeepRows &rows) {
    const DWord dw;
    const auto component = [&](hn::Vec<DWord> word, int bits) HWY_ATTR {
        const auto value = hn::And(hn::ShiftRightSame(word, bits), hn::Set(dw, 1023u));
        return hn::ConvertTo(DNumber(), hn::BitCast(DInteger(), value));
    };
    const auto sums = [&](int x, VNumber &red, VNumber &green, VNumber &blue) HWY_ATTR {
        const auto above = hn::LoadU(dw, reinterpret_cast<const uint32_t *>(rows.above) + x);
        red = component(above, 0);
        green = component(above, 10);
        blue = component(above, 20);
        StoreSamples(weights, 1, red, green, blue, rows.luma[0] + x);
        const auto below = hn::LoadU(dw, reinterpret_cast<const uint32_t *>(rows.below) + x);
        const auto red1 = component(below, 0), green1 = component(below, 10), blue1 = component(below, 20);
        if (rows.luma[1]) StoreSamples(weights, 1, red1, green1, blue1, rows.luma[1] + x);
        red = hn::Add(red, red1);
        green = hn::Add(green, green1);
        blue = hn::Add(blue, blue1);
    };
    VNumber red0, green0, blue0, red1, green1, blue1;
    sums(0, red0, green0, blue0);
    sums(kDeepPixels, red1, green1, blue1);
    const auto red = Pairs(red0, red1), green = Pairs(green0, green1), blue = Pairs(blue0, blue1);
    StoreSamples(weights + 4, 0.25f, red, green, blue, rows.first);
    StoreSamples(weights + 8, 0.25f, red, green, blue, rows.second);
}

/// Fewer pixels than are encoded at once, from and to memory of that size; the last one is repeated.
void EncodeDeepRest(const float *weights, const DeepRows &rows, int count) {
    uint8_t pixels[2][4 * kDeepTurn];
    uint16_t results[4][kDeepTurn];
    for (int x = 0; x < kDeepTurn; x++) {
        const int from = 4 * std::min(x, count - 1);
        std::memcpy(pixels[0] + 4 * x, rows.above + from, 4);
        std::memcpy(pixels[1] + 4 * x, rows.below + from, 4);
    }
    EncodeDeepTurn(
        weights, {pixels[0], pixels[1], {results[0], rows.luma[1] ? results[1] : nullptr}, results[2], results[3]});
    for (int row = 0; row < 2; row++) {
        if (rows.luma[row]) std::memcpy(rows.luma[row], results[row], 2 * count);
    }
    std::memcpy(rows.first, results[2], 2 * ((count + 1) / 2));
    std::memcpy(rows.second, results[3], 2 * ((count + 1) / 2));
}

void EncodeDeep(const VitrailDeepEncoding &to, int y0, int y1) {
    const auto place = [&](int plane, int row) {
        return reinterpret_cast<uint16_t *>(
            reinterpret_cast<uint8_t *>(to.planes[plane]) + row * to.strides[plane]);
    };
    for (int y = y0; y < y1; y += 2) {
        const bool hasTwo = y + 1 < to.height;
        const uint8_t *above = to.first + y * to.bytesPerRow;
        const DeepRows rows = {
            above, hasTwo ? above + to.bytesPerRow : above, {place(0, y), hasTwo ? place(0, y + 1) : nullptr},
            place(1, y / 2), place(2, y / 2)};
        int x = 0;
        for (; x + kDeepTurn <= to.width; x += kDeepTurn) EncodeDeepTurn(to.weights, rows.From(x));
        if (x < to.width) EncodeDeepRest(to.weights, rows.From(x), to.width - x);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(EncodeDeep);
}

void vitrail_encode_deep(const VitrailDeepEncoding *to, int32_t y0, int32_t y1) {
    HWY_DYNAMIC_DISPATCH(vitrail::EncodeDeep)(*to, y0, y1);
}
#endif
