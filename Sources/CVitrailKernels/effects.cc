// Effects in 32-bit floating point, row by row; the files in `Shaders/effects` have the sources of the formulas.
#include "effects.h"
#include "pixels.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "effects.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace vitrail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of at most `kColorSlack` values.
using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

struct Color {
    VF red, green, blue;
};

/// NaN becomes 0.
HWY_INLINE VF Clamped(VF value) {
    const DF d;
    return hn::Min(hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value), hn::Set(d, 1.0f));
}

HWY_INLINE Color Clamped(Color color) { return {Clamped(color.red), Clamped(color.green), Clamped(color.blue)}; }

HWY_INLINE VF Number(float number) { return hn::Set(DF(), number); }

HWY_INLINE VF Luma(Color color) {
    const VF sum = hn::MulAdd(color.green, Number(0.7152f), hn::Mul(color.red, Number(0.2126f)));
    return hn::MulAdd(color.blue, Number(0.0722f), sum);
}

/// A row of a matrix, and what is added.
HWY_INLINE VF Row(Color color, const float *row, float offset) {
    const VF sum = hn::MulAdd(color.red, Number(row[0]), Number(offset));
    return hn::MulAdd(color.blue, Number(row[2]), hn::MulAdd(color.green, Number(row[1]), sum));
}

/// Powers of values from 0 to 1.
HWY_INLINE VF Power(VF value, float exponent) {
    const DF d;
    const VF least = Number(1e-30f);
    const VF power = hn::Exp(d, hn::Mul(hn::Log(d, hn::Max(value, least)), Number(exponent)));
    return hn::IfThenElseZero(hn::Gt(value, least), power);
}

HWY_INLINE VF Light(VF code) {
    const VF curve = Power(hn::Mul(hn::Add(code, Number(0.055f)), Number(1 / 1.055f)), 2.4f);
    return hn::IfThenElse(hn::Le(code, Number(0.04045f)), hn::Mul(code, Number(1 / 12.92f)), curve);
}

HWY_INLINE VF Code(VF light, float exponent) {
    const VF curve = hn::MulSub(Power(light, 1 / 2.4f), Number(1.055f), Number(0.055f));
    const VF code = hn::IfThenElse(hn::Le(light, Number(0.0031308f)), hn::Mul(light, Number(12.92f)), curve);
    return exponent == 1 ? code : Power(code, exponent);
}

HWY_INLINE VF Level(VF value, int count) {
    const VF most = Number(static_cast<float>(count - 1));
    return hn::Div(hn::Min(hn::Floor(hn::Mul(value, Number(static_cast<float>(count)))), most), most);
}

/// Red, green or blue of entries of a table.
HWY_INLINE VF Entry(const VitrailEffect &effect, VI index, int component) {
    return hn::GatherIndex(DF(), effect.table + component, hn::ShiftLeft<2>(index));
}

/// The position of a component in a table: the index below, and the rest.
HWY_INLINE void Place(const VitrailEffect &effect, VF value, int component, VI &low, VF &rest) {
    const DF d;
    const DI di;
    const VF shifted = hn::Mul(hn::Sub(value, Number(effect.numbers[component])), Number(effect.numbers[3 + component]));
    const VF place = hn::Mul(Clamped(shifted), Number(static_cast<float>(effect.count - 1)));
    low = hn::Min(hn::ConvertTo(di, place), hn::Set(di, effect.count - 2));
    rest = hn::Sub(place, hn::ConvertTo(d, low));
}

HWY_INLINE Color Curves(const VitrailEffect &effect, Color color) {
    const auto curve = [&](VF value, int component) HWY_ATTR {
        VI low;
        VF rest;
        Place(effect, value, component, low, rest);
        const VF one = Entry(effect, low, component);
        const VF two = Entry(effect, hn::Add(low, hn::Set(DI(), 1)), component);
        return hn::MulAdd(hn::Sub(two, one), rest, one);
    };
    return {curve(color.red, 0), curve(color.green, 1), curve(color.blue, 2)};
}

/// Tetrahedral interpolation: see `effect.lut.glsl`.
HWY_INLINE Color Cube(const VitrailEffect &effect, Color color) {
    const DI di;
    VI red, green, blue;
    VF r, g, b;
    Place(effect, color.red, 0, red, r);
    Place(effect, color.green, 1, green, g);
    Place(effect, color.blue, 2, blue, b);
    const VI size = hn::Set(di, effect.count), area = hn::Mul(size, size);
    const VI corner = hn::Add(red, hn::Mul(size, hn::Add(green, hn::Mul(size, blue))));
    const VI one = hn::Set(di, 1), all = hn::Add(one, hn::Add(size, area));
    const auto rg = hn::Ge(r, g), gb = hn::Ge(g, b), rb = hn::Ge(r, b);
    const auto pick = [&](hn::Mask<DF> isRed, hn::Mask<DF> isGreen) HWY_ATTR {
        const VI other = hn::IfThenElse(hn::RebindMask(di, isGreen), size, area);
        return hn::IfThenElse(hn::RebindMask(di, isRed), one, other);
    };
    const VI first = pick(hn::And(rg, rb), hn::AndNot(rg, gb));
    const VI last = pick(hn::And(hn::Not(rg), hn::Not(rb)), hn::AndNot(gb, rg));
    const VF most = hn::Max(hn::Max(r, g), b), least = hn::Min(hn::Min(r, g), b);
    const VF middle = hn::Sub(hn::Sub(hn::Add(hn::Add(r, g), b), most), least);
    const VI second = hn::Add(corner, first), third = hn::Add(corner, hn::Sub(all, last));
    const VI fourth = hn::Add(corner, all);
    const auto mixed = [&](int component) HWY_ATTR {
        VF sum = hn::Mul(hn::Sub(Number(1), most), Entry(effect, corner, component));
        sum = hn::MulAdd(hn::Sub(most, middle), Entry(effect, second, component), sum);
        sum = hn::MulAdd(hn::Sub(middle, least), Entry(effect, third, component), sum);
        return hn::MulAdd(least, Entry(effect, fourth, component), sum);
    };
    return {mixed(0), mixed(1), mixed(2)};
}

HWY_INLINE Color Mixed(Color one, Color two, float share) {
    const VF other = Number(1 - share), own = Number(share);
    return {
        hn::MulAdd(two.red, own, hn::Mul(one.red, other)), hn::MulAdd(two.green, own, hn::Mul(one.green, other)),
        hn::MulAdd(two.blue, own, hn::Mul(one.blue, other))};
}

HWY_INLINE Color Chosen(hn::Mask<DF> mask, Color yes, Color no) {
    return {
        hn::IfThenElse(mask, yes.red, no.red), hn::IfThenElse(mask, yes.green, no.green),
        hn::IfThenElse(mask, yes.blue, no.blue)};
}

HWY_INLINE Color Zones(Color color, bool keepsColor) {
    const VF luma = Luma(color);
    const Color other = keepsColor ? color : Color{luma, luma, luma};
    const auto plain = [](float red, float green, float blue) HWY_ATTR {
        return Color{Number(red), Number(green), Number(blue)};
    };
    Color zone = plain(0.5f, 0, 0.75f);
    const auto from = [&](float level, Color next) HWY_ATTR {
        zone = Chosen(hn::Ge(luma, Number(level)), next, zone);
    };
    from(0.025f, plain(0, 0.25f, 1));
    from(0.04f, other);
    from(0.38f, plain(0.2f, 0.75f, 0.2f));
    from(0.42f, other);
    from(0.52f, plain(1, 0.6f, 0.7f));
    from(0.56f, other);
    from(0.97f, plain(1, 1, 0));
    from(0.99f, plain(1, 0, 0));
    return zone;
}

HWY_INLINE Color Stripes(const VitrailEffect &effect, Color color, int x, int y) {
    const DF d;
    const float *numbers = effect.numbers;
    const VF luma = Luma(color);
    // Half a code value of eight bits, as in the shader.
    const auto inside =
        hn::And(hn::Ge(luma, Number(numbers[0] - 0.002f)), hn::Le(luma, Number(numbers[1] + 0.002f)));
    const VF place = hn::Add(hn::Iota(d, static_cast<float>(x)), Number(static_cast<float>(y) + 0.5f));
    const VF stripe = hn::Floor(hn::Div(place, Number(static_cast<float>(effect.count))));
    const VF rest = hn::Sub(stripe, hn::Mul(hn::Floor(hn::Mul(stripe, Number(0.5f))), Number(2)));
    const Color plain{Number(numbers[2]), Number(numbers[3]), Number(numbers[4])};
    return Chosen(hn::And(inside, hn::Gt(rest, Number(0.5f))), plain, color);
}

template <class Function>
HWY_INLINE void ForEach(float *const *colors, int first, int last, Function function) {
    const DF d;
    for (int x = first; x < last; x += static_cast<int>(hn::Lanes(d))) {
        const Color result = function(
            Color{hn::LoadU(d, colors[0] + x), hn::LoadU(d, colors[1] + x), hn::LoadU(d, colors[2] + x)}, x);
        hn::StoreU(result.red, d, colors[0] + x);
        hn::StoreU(result.green, d, colors[1] + x);
        hn::StoreU(result.blue, d, colors[2] + x);
    }
}

/// Applies an effect that only changes the colour of each pixel.
void Apply(const VitrailEffect &effect, float *const *colors, int first, int last, int y) {
    const float *numbers = effect.numbers;
    switch (effect.kind) {
    case VitrailEffectLuma:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            const VF luma = hn::Min(Luma(color), Number(1));
            return Color{luma, luma, luma};
        });
    case VitrailEffectMatrix:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            return Clamped(Color{
                Row(color, numbers, numbers[3]), Row(color, numbers + 4, numbers[7]),
                Row(color, numbers + 8, numbers[11])});
        });
    case VitrailEffectLight:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            const Color light{Light(color.red), Light(color.green), Light(color.blue)};
            const Color lit = Clamped(
                Color{Row(light, numbers, 0), Row(light, numbers + 3, 0), Row(light, numbers + 6, 0)});
            return Clamped(Color{
                Code(lit.red, numbers[9]), Code(lit.green, numbers[9]), Code(lit.blue, numbers[9])});
        });
    case VitrailEffectLevels:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            return Color{
                Level(color.red, effect.count), Level(color.green, effect.count), Level(color.blue, effect.count)};
        });
    case VitrailEffectStripes:
        return ForEach(
            colors, first, last, [&](Color color, int x) HWY_ATTR { return Stripes(effect, color, x, y); });
    case VitrailEffectZones:
        return ForEach(
            colors, first, last, [&](Color color, int) HWY_ATTR { return Zones(color, effect.count != 0); });
    case VitrailEffectCube:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            return Clamped(Mixed(color, Cube(effect, color), numbers[6]));
        });
    case VitrailEffectCurves:
        return ForEach(colors, first, last, [&](Color color, int) HWY_ATTR {
            return Clamped(Mixed(color, Curves(effect, color), numbers[6]));
        });
    case VitrailEffectMirror:
    case VitrailEffectBlocks: return;
    }
}

void Clamp(float *const *colors, int first, int last) {
    ForEach(colors, first, last, [](Color color, int) HWY_ATTR { return Clamped(color); });
}

void Widen(const int16_t *const *sums, int fraction, int first, int last, float *const *colors) {
    const DF d;
    const DI di;
    const hn::Rebind<int16_t, DF> d16;
    const VF unit = Number(1 / (255.0f * static_cast<float>(1 << fraction)));
    for (int i = 0; i < 3; i++) {
        for (int x = first; x < last; x += static_cast<int>(hn::Lanes(d))) {
            const VF value = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d16, sums[i] + x)));
            hn::StoreU(Clamped(hn::Mul(value, unit)), d, colors[i] + x);
        }
    }
}

/// Writes pixels with a byte for each component; `thresholds` are those of eight columns, from a multiple of eight.
void WriteBytes(
    const float *const *colors, int first, int last, bool isBlueFirst, const float *thresholds, uint8_t *out) {
    const DF d;
    const DI di;
    const hn::Rebind<uint8_t, DF> d8;
    const int lanes = static_cast<int>(hn::Lanes(d));
    alignas(64) float added[24];
    for (int i = 0; i < 24; i++) added[i] = 0.5f + (thresholds ? thresholds[i & 7] : 0.0f);
    alignas(64) uint8_t rest[4 * 64];
    const VF white = Number(255), zero = hn::Zero(d);
    for (int x = first; x < last; x += lanes) {
        const VF half = hn::LoadU(d, added + (x & 7));
        const auto level = [&](const float *row) HWY_ATTR {
            const VF value = hn::MulAdd(hn::LoadU(d, row + x), white, half);
            return hn::DemoteTo(d8, hn::ConvertTo(di, hn::Min(hn::Max(value, zero), white)));
        };
        const auto red = level(colors[0]), green = level(colors[1]), blue = level(colors[2]);
        const int left = last - x;
        uint8_t *to = left >= lanes ? out + (x - first) * 4 : rest;
        hn::StoreInterleaved4(isBlueFirst ? blue : red, green, isBlueFirst ? red : blue, hn::Set(d8, 255), d8, to);
        if (left < lanes) std::memcpy(out + (x - first) * 4, rest, static_cast<size_t>(left) * 4);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrail {
HWY_EXPORT(Apply);
HWY_EXPORT(Clamp);
HWY_EXPORT(Widen);
HWY_EXPORT(WriteBytes);

bool RowSource::Allocate(VitrailScratch &scratch, int width) {
    const size_t pitch = static_cast<size_t>(width) + 2 * kColorSlack;
    float *memory = scratch.block<float>(26, 3 * pitch);
    if (!memory) return false;
    for (int i = 0; i < 3; i++) colors[i] = memory + i * pitch + kColorSlack;
    return true;
}

void ToColors(const int16_t *const *sums, int fraction, int first, int last, float *const *colors) {
    HWY_DYNAMIC_DISPATCH(Widen)(sums, fraction, first, last, colors);
}

void ClampColors(float *const *colors, int first, int last) { HWY_DYNAMIC_DISPATCH(Clamp)(colors, first, last); }

namespace {

/// Whether a mirror changes columns, and rows; the pictures of `mirror.effect.glsl` in its order.
bool MirrorsColumns(const VitrailEffect &effect) { return effect.count < 2 || effect.count == 4; }
bool MirrorsRows(const VitrailEffect &effect) { return effect.count >= 2; }
/// Whether the part that is shown twice is the second half.
bool ShowsSecond(const VitrailEffect &effect) { return effect.count == 1 || effect.count == 3; }

int Mirrored(const VitrailEffect &effect, int place, int length) {
    const int other = length - 1 - place;
    return ShowsSecond(effect) ? std::max(place, other) : std::min(place, other);
}

/// The columns that an effect needs for the columns x0 up to x1.
void Need(const VitrailEffects &effects, const VitrailEffect &effect, int &x0, int &x1) {
    if (effect.kind != VitrailEffectMirror || !MirrorsColumns(effect) || x0 >= x1) return;
    const int width = effects.width, low = std::min(x0, width - x1), high = std::max(x1, width - x0);
    x0 = ShowsSecond(effect) ? std::max(low, width / 2) : low;
    x1 = ShowsSecond(effect) ? high : std::min(high, (width + 1) / 2);
}

/// The rows of a picture after a number of effects.
struct EffectRows {
    RowSource &source;
    const VitrailEffects &effects;

    void Row(int count, int y, int x0, int x1) const {
        if (count == 0) return source.Row(y);
        const VitrailEffect &effect = effects.effects[count - 1];
        switch (effect.kind) {
        case VitrailEffectMirror: {
            int first = x0, last = x1;
            Need(effects, effect, first, last);
            Row(count - 1, MirrorsRows(effect) ? Mirrored(effect, y, effects.height) : y, first, last);
            if (MirrorsColumns(effect)) MirrorColumns(effect, x0, x1);
            return;
        }
        case VitrailEffectBlocks: return DrawBlocks(effect.blocks, count, y, x0, x1);
        default:
            Row(count - 1, y, x0, x1);
            HWY_DYNAMIC_DISPATCH(Apply)(effect, source.colors, x0, x1, y);
        }
    }

    /// Writes the half that is not shown as it is.
    void MirrorColumns(const VitrailEffect &effect, int x0, int x1) const {
        const int last = effects.width - 1;
        const int first = ShowsSecond(effect) ? x0 : std::max(x0, static_cast<int>(effects.width + 1) / 2);
        const int end = ShowsSecond(effect) ? std::min(x1, static_cast<int>(effects.width) / 2) : x1;
        for (float *row : source.colors) {
            for (int x = first; x < end; x++) row[x] = row[last - x];
        }
    }

    void DrawBlocks(const VitrailBlocks &blocks, int count, int y, int x0, int x1) const {
        const bool isHit = y >= blocks.y0 && y < blocks.y1;
        const int first = std::max(static_cast<int>(blocks.x0), x0), last = std::min(static_cast<int>(blocks.x1), x1);
        if (!isHit || first > x0 || last < x1) Row(count - 1, y, x0, x1);
        if (!isHit || first >= last) return;
        for (int i = 0; i < 3; i++) {
            float *row = source.colors[i];
            if (!blocks.colors) {
                std::fill(row + first, row + last, 0.0f);
                continue;
            }
            const float *colors = blocks.colors + 3 * blocks.blockRows[y - blocks.y0] * blocks.columns + i;
            for (int x = first; x < last; x++) row[x] = colors[3 * blocks.blockColumns[x - blocks.x0]];
        }
    }
};

void WriteRow(
    const float *const *colors, int first, int last, int y, VitrailPictureFormat format, int ditherDepth, uint8_t *out) {
    const float step = ditherDepth > 0 ? 1 / static_cast<float>((1 << ditherDepth) - 1) : 0;
    float thresholds[8];
    for (int x = 0; x < 8; x++) thresholds[x] = Threshold(x, y);
    if ((format == VitrailRGBA8 || format == VitrailBGRA8) && (ditherDepth == 0 || ditherDepth == 8)) {
        HWY_DYNAMIC_DISPATCH(WriteBytes)
        (colors, first, last, format == VitrailBGRA8, ditherDepth > 0 ? thresholds : nullptr, out);
        return;
    }
    const int bytes = BytesPerPixel(format);
    for (int x = first; x < last; x++, out += bytes) {
        const float added = thresholds[x & 7] * step;
        const float color[3] = {colors[0][x] + added, colors[1][x] + added, colors[2][x] + added};
        Write(format, out, color);
    }
}

}  // namespace

void Reach(const VitrailEffects &effects, int count, int &x0, int &x1) {
    for (int i = count - 1; i >= 0; i--) Need(effects, effects.effects[i], x0, x1);
}

namespace {

/// The columns whose means the blocks are.
void Span(const VitrailBlocks &blocks, int &x0, int &x1) {
    x0 = blocks.across[0].first;
    x1 = x0;
    for (int column = 0; column < blocks.columns; column++) {
        const VitrailSpan &span = blocks.across[column];
        x0 = std::min(x0, static_cast<int>(span.first));
        x1 = std::max(x1, static_cast<int>(span.first + span.count));
    }
}

}  // namespace

void ReachOfBlocks(const VitrailEffects &effects, int number, int &x0, int &x1) {
    Span(effects.effects[number].blocks, x0, x1);
    Reach(effects, number, x0, x1);
}

void PaintWithEffects(
    RowSource &source, const VitrailEffects &effects, VitrailPictureFormat format, const VitrailPart &part) {
    const EffectRows rows{source, effects};
    for (int y = part.y0; y < part.y1; y++) {
        rows.Row(effects.count, y, part.x0, part.x1);
        uint8_t *out = part.pixels + (y - part.y0) * part.bytesPerRow;
        WriteRow(source.colors, part.x0, part.x1, y, format, effects.ditherDepth, out);
    }
}

void MeasureBlocks(RowSource &source, const VitrailEffects &effects, int number, int row) {
    const VitrailBlocks &blocks = effects.effects[number].blocks;
    const EffectRows rows{source, effects};
    int x0, x1;
    Span(blocks, x0, x1);
    float *colors = blocks.colors + 3 * row * blocks.columns;
    std::fill(colors, colors + 3 * blocks.columns, 0.0f);
    const VitrailSpan &down = blocks.down[row];
    for (int i = 0; i < down.count; i++) {
        if (down.weights[i] == 0) continue;
        rows.Row(number, down.first + i, x0, x1);
        for (int column = 0; column < blocks.columns; column++) {
            const VitrailSpan &across = blocks.across[column];
            for (int j = 0; j < 3; j++) {
                const float *from = source.colors[j] + across.first;
                float sum = 0;
                for (int k = 0; k < across.count; k++) sum += across.weights[k] * from[k];
                colors[3 * column + j] += down.weights[i] * sum;
            }
        }
    }
}

}  // namespace vitrail
#endif
