// The exact painter: see `CVitrailKernels.h`. It follows the shaders step by step.
#include "effects.h"
#include "pixels.h"
#include "scratch.h"

namespace vitrail {
namespace {

// MARK: Light (`transfer.glsl` and `convert.tone.glsl` have the sources of the formulas)

constexpr float kPQM1 = 2610.0f / 16384, kPQM2 = 2523.0f / 32;
constexpr float kPQC1 = 3424.0f / 4096, kPQC2 = 2413.0f / 128, kPQC3 = 2392.0f / 128;
constexpr float kPQPeak = 10000.0f / 203;
constexpr float kHLGA = 0.17883277f, kHLGB = 0.28466892f, kHLGC = 0.55991073f;
constexpr float kHLGPeak = 1000.0f / 203, kHLGGamma = 1.2f, kHLGHighest = 955.0f / 876;

/// In this order, NaN becomes the lowest value.
float Clamp(float value, float low, float high) { return std::min(std::max(low, value), high); }

float PQLight(float code) {
    const float root = std::pow(Clamp(code, 0, 1), 1 / kPQM2);
    return kPQPeak * std::pow(std::max(root - kPQC1, 0.0f) / (kPQC2 - kPQC3 * root), 1 / kPQM1);
}

float PQCode(float light) {
    const float root = std::pow(Clamp(light / kPQPeak, 0, 1), kPQM1);
    return std::pow((kPQC1 + kPQC2 * root) / (1 + kPQC3 * root), kPQM2);
}

float Dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void ToLight(const VitrailTransferPlan &transfer, float *color) {
    for (int i = 0; i < 3; i++) {
        const float code = color[i];
        switch (transfer.kind) {
        case VitrailTransferPower: color[i] = std::pow(std::max(code, 0.0f), transfer.gamma); break;
        case VitrailTransferSRGB: {
            const float clipped = std::max(code, 0.0f);
            color[i] = clipped <= 0.04045f ? clipped / 12.92f : std::pow((clipped + 0.055f) / 1.055f, 2.4f);
            break;
        }
        case VitrailTransferLinear: break;
        case VitrailTransferPQ: color[i] = PQLight(code); break;
        case VitrailTransferHLG: {
            const float clipped = Clamp(code, 0, kHLGHighest);
            color[i] = clipped <= 0.5f ? clipped * clipped / 3 : (std::exp((clipped - kHLGC) / kHLGA) + kHLGB) / 12;
            break;
        }
        }
    }
    if (transfer.kind != VitrailTransferHLG) return;
    const float factor = kHLGPeak * std::pow(Dot(color, transfer.weights), kHLGGamma - 1);
    for (int i = 0; i < 3; i++) color[i] *= factor;
}

void ToCode(const VitrailTransferPlan &transfer, float *color) {
    if (transfer.kind == VitrailTransferHLG) {
        for (int i = 0; i < 3; i++) color[i] = std::max(color[i], 0.0f) / kHLGPeak;
        const float factor = std::pow(std::max(Dot(color, transfer.weights), 1e-12f), 1 / kHLGGamma - 1);
        for (int i = 0; i < 3; i++) color[i] *= factor;
    }
    for (int i = 0; i < 3; i++) {
        const float light = color[i], clipped = Clamp(light, 0, 1);
        switch (transfer.kind) {
        case VitrailTransferPower: color[i] = std::pow(clipped, 1 / transfer.gamma); break;
        case VitrailTransferSRGB:
            color[i] = clipped <= 0.0031308f ? clipped * 12.92f : 1.055f * std::pow(clipped, 1 / 2.4f) - 0.055f;
            break;
        case VitrailTransferLinear: color[i] = clipped; break;
        case VitrailTransferPQ: color[i] = PQCode(light); break;
        case VitrailTransferHLG:
            color[i] = clipped <= 1.0f / 12 ? std::sqrt(3 * clipped)
                                            : kHLGA * std::log(std::max(12 * clipped - kHLGB, 0.5f)) + kHLGC;
            break;
        }
    }
}

void MapTone(const VitrailExactPlan &plan, float *light) {
    const float knee = plan.toneShape[0];
    const float floored = std::max(std::max(std::max(light[0], light[1]), light[2]), 1e-7f);
    const float source = Clamp((PQCode(floored) - plan.toneRange[0]) / plan.toneRange[1], 0, 1);
    const float t = std::max(source - knee, 0.0f) / std::max(1 - knee, 1e-6f);
    const float t2 = t * t, t3 = t2 * t;
    const float spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * plan.toneShape[1];
    const float compressed = source < knee ? source : spline;
    const float rest = 1 - compressed;
    const float lifted = compressed + plan.toneShape[2] * (rest * rest) * (rest * rest);
    const float factor = std::min(PQLight(lifted * plan.toneRange[1] + plan.toneRange[0]), 1.0f) / floored;
    for (int i = 0; i < 3; i++) light[i] *= factor;
}

void Multiply(const float *matrix, float *value) {
    const float result[3] = {Dot(matrix, value), Dot(matrix + 3, value), Dot(matrix + 6, value)};
    std::memcpy(value, result, sizeof result);
}

/// From light to the picture's R'G'B'.
void Show(const VitrailExactPlan &plan, float *light) {
    if (plan.hasTone) MapTone(plan, light);
    Multiply(plan.primaries, light);
    ToCode(plan.target, light);
}

// MARK: Samples

/// A frame, and the rows of it that are kept.
struct Frame {
    const VitrailExactPlan &plan;
    const VitrailSamples *samples;
    VitrailScratch &scratch;

    /// The sample of a component; x and y as in the picture.
    float Sample(int component, int x, int y) const {
        if (plan.packing != VitrailRegular && plan.isSwapped && component > 0) component = 3 - component;
        switch (plan.packing) {
        case VitrailRegular: break;
        case VitrailV210: return plan.isTurned ? PackedSample(component, y, x) : PackedSample(component, x, y);
        case VitrailBayer: return plan.isTurned ? Mosaic(component, y, x) : Mosaic(component, x, y);
        }
        const VitrailWord &word = plan.words[component];
        const uint8_t *from = samples[component].first + x * samples[component].right + y * samples[component].down;
        uint32_t bits = 0;
        std::memcpy(&bits, from, word.wordBytes);
        if (plan.isFloat) {
            // Finite, since a product with a weight of zero must be zero.
            const float value = HalfToFloat(static_cast<uint16_t>(bits));
            return std::isnan(value) ? 0 : Clamp(value, -65504, 65504);
        }
        const uint32_t most = (1u << word.depth) - 1;
        // Samples that share a word are cut out of it. In a word of its own, a sample that exceeds the depth reads as
        // the highest value.
        const bool isShared = word.depth <= 8 * (word.wordBytes - 1);
        const uint32_t value = isShared ? bits >> word.shift & most : std::min(bits >> word.shift, most);
        return static_cast<float>(value) / static_cast<float>(most);
    }

    /// `planes.v210.glsl`.
    float PackedSample(int component, int x, int y) const {
        const int index = component == 0 ? 2 * x + 1 : 4 * x + (component == 1 ? 0 : 2);
        uint32_t word;
        std::memcpy(&word, samples[0].first + y * samples[0].down + index / 3 * 4, 4);
        return static_cast<float>(word >> (10 * (index % 3)) & 1023) / 1023;
    }

    float Value(int x, int y) const {
        const auto reflected = [](int place, int last) {
            place = std::abs(place);
            return std::min(std::max(last - std::abs(last - place), 0), last);
        };
        x = reflected(x, MemoryWidth() - 1);
        y = reflected(y, MemoryHeight() - 1);
        return static_cast<float>(samples[0].first[y * samples[0].down + x]) / 255;
    }

    int MemoryWidth() const { return plan.isTurned ? plan.height : plan.width; }
    int MemoryHeight() const { return plan.isTurned ? plan.width : plan.height; }

    /// `planes.bayer.glsl`.
    float Mosaic(int component, int x, int y) const {
        const int column = (x + plan.redColumn) & 1, row = (y + plan.redRow) & 1;
        const auto beside = [&] { return 0.5f * (Value(x - 1, y) + Value(x + 1, y)); };
        const auto above = [&] { return 0.5f * (Value(x, y - 1) + Value(x, y + 1)); };
        if (column != row) {
            if (component == 1) return Value(x, y);
            return (row == 0) == (component == 0) ? beside() : above();
        }
        if (component == 1) return 0.5f * (beside() + above());
        if ((column == 0) == (component == 0)) return Value(x, y);
        return 0.25f * (Value(x - 1, y - 1) + Value(x + 1, y - 1) + Value(x - 1, y + 1) + Value(x + 1, y + 1));
    }

    // MARK: Rows

    /// The first and the last sample that columns need.
    static void Reach(const VitrailAxis &axis, int first, int last, int &low, int &high) {
        low = axis.bases[first];
        high = low;
        for (int i = first; i < last; i++) {
            low = std::min(low, axis.bases[i]);
            high = std::max(high, axis.bases[i] + axis.taps - 1);
        }
    }

    static void Scale(const VitrailAxis &axis, const float *row, int first, int last, float *to) {
        for (int x = first; x < last; x++) {
            const float *from = row + axis.bases[x], *weights = axis.weights + static_cast<ptrdiff_t>(x) * axis.taps;
            float sum = 0;
            for (int tap = 0; tap < axis.taps; tap++) sum += from[tap] * weights[tap];
            to[x] = sum;
        }
    }

    /// One row of one component, as wide as the picture.
    void ComponentRow(int component, int y, int first, int last, float *buffer, float *to) const {
        const VitrailAxis &axis = plan.across[component > 0];
        int low, high;
        Reach(axis, first, last, low, high);
        for (int x = low; x <= high; x++) buffer[x] = Sample(component, x, y);
        Scale(axis, buffer, first, last, to);
    }

    /// Three rows of R'G'B', or of light, of a row of luma samples, as wide as the picture.
    void ColorRow(int y, int first, int last, float *buffer, size_t pitch, float *const *to) const {
        const VitrailAxis &axis = plan.across[0];
        int low, high;
        Reach(axis, first, last, low, high);
        const bool hasChroma = !plan.isGray;
        float *rows[3] = {buffer, buffer + pitch, buffer + 2 * pitch};
        if (hasChroma) {
            const VitrailAxis &down = plan.chromaDown;
            int left, right;
            Reach(plan.chromaAcross, low, high + 1, left, right);
            float *sums = buffer + 3 * pitch;
            for (int component = 1; component < 3; component++) {
                for (int x = left; x <= right; x++) {
                    float sum = 0;
                    for (int tap = 0; tap < down.taps; tap++) {
                        const float weight = down.weights[static_cast<ptrdiff_t>(y) * down.taps + tap];
                        if (weight != 0) sum += weight * Sample(component, x, down.bases[y] + tap);
                    }
                    sums[x] = sum;
                }
                Scale(plan.chromaAcross, sums, low, high + 1, rows[component]);
            }
        }
        for (int x = low; x <= high; x++) {
            const float luma = Sample(0, x, y);
            float color[3] = {luma, hasChroma ? rows[1][x] : luma, hasChroma ? rows[2][x] : luma};
            Multiply(plan.matrix, color);
            const float opacity = plan.hasOpacity ? Clamp(Sample(3, x, y), 0, 1) : 1;
            for (int i = 0; i < 3; i++) {
                color[i] += plan.offsets[i];
                if (plan.hasOpacity) color[i] = Clamp(color[i], 0, 1) * opacity;
            }
            if (plan.isLinearLight) ToLight(plan.source, color);
            for (int i = 0; i < 3; i++) rows[i][x] = color[i];
        }
        for (int i = 0; i < 3; i++) Scale(axis, rows[i], first, last, to[i]);
    }
};

/// Rows that are as wide as the picture already, by the number of the row of samples.
struct Kept {
    float *rows;
    int *keys;
    int count;
    size_t pitch;

    float *Slot(int y) const { return rows + static_cast<size_t>(y % count) * pitch; }
    bool Has(int y) const { return keys[y % count] == y; }
};

/// The most rows that are kept; with more, each is used too rarely.
constexpr int kMostKept = 32;

/// The colours of rows.
class ExactSource : public RowSource {
public:
    explicit ExactSource(const Frame &frame) : frame(frame), plan(frame.plan) {}

    /// Prepares columns x0 up to x1; false if there is no memory.
    bool Begin(int x0, int x1) {
        first = x0;
        last = x1;
        const size_t pitch = static_cast<size_t>(plan.pictureWidth);
        longest = static_cast<size_t>(std::max(plan.width, plan.chromaWidth)) + 1;
        buffer = frame.scratch.block<float>(0, 4 * longest);
        if (!buffer || !Allocate(frame.scratch, plan.pictureWidth)) return false;
        for (int i = 0; i < 3; i++) {
            const VitrailAxis &down = plan.down[!plan.isMatrixFirst && i > 0];
            kept[i].count = down.taps <= kMostKept ? down.taps : 1;
            kept[i].pitch = pitch;
            kept[i].rows = frame.scratch.block<float>(2 + i, pitch * kept[i].count);
            kept[i].keys = frame.scratch.block<int>(5 + i, kMostKept);
            if (!kept[i].rows || !kept[i].keys) return false;
            for (int slot = 0; slot < kMostKept; slot++) kept[i].keys[slot] = -1;
        }
        return true;
    }

    void Row(int y) override {
        const int count = plan.isGray && !plan.isMatrixFirst ? 1 : 3;
        for (int i = 0; i < count; i++) Sum(i, y);
        for (int x = first; x < last; x++) {
            float color[3] = {colors[0][x], colors[count == 1 ? 0 : 1][x], colors[count == 1 ? 0 : 2][x]};
            if (!plan.isMatrixFirst) {
                Multiply(plan.matrix, color);
                for (int i = 0; i < 3; i++) color[i] += plan.offsets[i];
            }
            if (plan.isConverted) {
                if (!plan.isLinearLight) ToLight(plan.source, color);
                Show(plan, color);
            }
            for (int i = 0; i < 3; i++) colors[i][x] = color[i];
        }
    }

private:
    const Frame &frame;
    const VitrailExactPlan &plan;
    Kept kept[3];
    float *buffer = nullptr;
    size_t longest = 0;

    /// Sums the rows of a component, or of R'G'B' or light.
    void Sum(int i, int y) {
        const VitrailAxis &down = plan.down[!plan.isMatrixFirst && i > 0];
        std::fill(colors[i] + first, colors[i] + last, 0.0f);
        for (int tap = 0; tap < down.taps; tap++) {
            const float weight = down.weights[static_cast<ptrdiff_t>(y) * down.taps + tap];
            if (weight == 0) continue;
            const int row = down.bases[y] + tap;
            if (!kept[i].Has(row)) {
                if (plan.isMatrixFirst) {
                    float *three[3] = {kept[0].Slot(row), kept[1].Slot(row), kept[2].Slot(row)};
                    frame.ColorRow(row, first, last, buffer, longest, three);
                    for (int j = 0; j < 3; j++) kept[j].keys[row % kept[j].count] = row;
                } else {
                    frame.ComponentRow(i, row, first, last, buffer, kept[i].Slot(row));
                    kept[i].keys[row % kept[i].count] = row;
                }
            }
            const float *from = kept[i].Slot(row);
            for (int x = first; x < last; x++) colors[i][x] += weight * from[x];
        }
    }
};

/// The same, clamped, for effects.
class ClampedSource : public ExactSource {
public:
    using ExactSource::ExactSource;

    void Row(int y) override {
        ExactSource::Row(y);
        ClampColors(colors, first, last);
    }
};

}  // namespace
}  // namespace vitrail

bool vitrail_paint_exact(
    VitrailScratch *scratch, const VitrailExactPlan *plan, const VitrailSamples *samples, const VitrailEffects *effects,
    VitrailPart part) {
    using namespace vitrail;
    const Frame frame{*plan, samples, *scratch};
    if (!effects) {
        ExactSource source(frame);
        if (!source.Begin(part.x0, part.x1)) return false;
        const VitrailEffects none{nullptr, 0, plan->pictureWidth, 0, plan->ditherDepth};
        PaintWithEffects(source, none, plan->format, part);
        return true;
    }
    int x0 = part.x0, x1 = part.x1;
    Reach(*effects, effects->count, x0, x1);
    ClampedSource source(frame);
    if (!source.Begin(x0, x1)) return false;
    PaintWithEffects(source, *effects, plan->format, part);
    return true;
}

bool vitrail_measure_exact(
    VitrailScratch *scratch, const VitrailExactPlan *plan, const VitrailSamples *samples, const VitrailEffects *effects,
    int32_t number, int32_t row) {
    using namespace vitrail;
    int x0, x1;
    ReachOfBlocks(*effects, number, x0, x1);
    const Frame frame{*plan, samples, *scratch};
    ClampedSource source(frame);
    if (!source.Begin(x0, x1)) return false;
    MeasureBlocks(source, *effects, number, row);
    return true;
}
