// Effects on the rows that a painter makes.
#pragma once

#include "include/CVitrailKernels.h"
#include "scratch.h"

namespace vitrail {

/// Vectors may read and write this many values beyond a row of colours.
constexpr int kColorSlack = 64;

/// A painter, row by row.
class RowSource {
public:
    virtual ~RowSource() = default;
    /// Makes the columns `first` up to `last` of a row, and leaves them in `colors`, 0 to 1.
    virtual void Row(int y) = 0;

    /// Red, green and blue of a row of the picture, with `kColorSlack` values before and after it.
    float *colors[3] = {};
    int first = 0, last = 0;

    /// Allocates `colors`; false if there is no memory.
    bool Allocate(VitrailScratch &scratch, int width);
};

/// The columns that a source must make for the columns x0 up to x1 after `count` effects.
void Reach(const VitrailEffects &effects, int count, int &x0, int &x1);

/// The same for a row of blocks of an effect.
void ReachOfBlocks(const VitrailEffects &effects, int number, int &x0, int &x1);

/// Draws a part of what a source makes, with effects.
void PaintWithEffects(
    RowSource &source, const VitrailEffects &effects, VitrailPictureFormat format, const VitrailPart &part);

/// Measures a row of the blocks of an effect.
void MeasureBlocks(RowSource &source, const VitrailEffects &effects, int number, int row);

/// Makes colours of sums with `fraction` fractional bits, 255 for white, clamped.
void ToColors(const int16_t *const *sums, int fraction, int first, int last, float *const *colors);

/// Clamps colours; NaN becomes 0.
void ClampColors(float *const *colors, int first, int last);

/// The threshold of `dither.glsl`.
inline float Threshold(int column, int row) {
    const int x = column, y = column ^ row;
    const int value = (y & 1) << 5 | (x & 1) << 4 | (y & 2) << 2 | (x & 2) << 1 | (y & 4) >> 1 | (x & 4) >> 2;
    return (static_cast<float>(value) + 0.5f) / 64 - 0.5f;
}

}  // namespace vitrail
