// The loops of the software renderer. A frame is drawn by one of two painters:
//
// - `vitrail_paint_fast`: sums of samples in 16-bit integers, with the processor's vector instructions (Highway chooses
//   them at run time). Exact to 0.55 of a code value of 8 bits.
// - `vitrail_paint_exact`: everything else, one value after the other in 32-bit floating point.
//
// Both can apply effects (`VitrailEffects`), in 32-bit floating point.
//
// Both read what they need from a plan: pointers into tables that the caller keeps. Pictures and frames are described
// in the directions of the picture: x to the right and y downwards as it is shown, whatever that is in memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A rectangle of a picture in memory: columns x0 up to x1, rows y0 up to y1, relative to the frame's place.
typedef struct {
    /// The pixel at (x0, y0).
    uint8_t *_Null_unspecified pixels;
    ptrdiff_t bytesPerRow;
    int32_t x0, y0, x1, y1;
} VitrailPart;

/// The samples of one component in memory.
typedef struct {
    /// The sample that is shown at the upper left.
    const uint8_t *_Null_unspecified first;
    /// Bytes from a sample to the one that is shown on its right, and to the one below.
    ptrdiff_t right, down;
} VitrailSamples;

// MARK: Effects

/// What an effect does; R'G'B' is from 0 to 1 before and after it.
typedef enum {
    /// Rec. 709 luma.
    VitrailEffectLuma,
    /// `numbers`: three rows of a matrix, each followed by an offset.
    VitrailEffectMatrix,
    /// `numbers`: three rows of a matrix for linear light of sRGB, and the exponent for the code values made from it.
    VitrailEffectLight,
    /// `count` levels.
    VitrailEffectLevels,
    /// `numbers`: the lowest and the highest luma, and the colour of stripes of `count` pixels.
    VitrailEffectStripes,
    /// The zones of `false-color.effect.glsl`; `count` is 1 if the rest keeps its colour.
    VitrailEffectZones,
    /// A table of `count` entries a side, or for each component: `numbers` has the lowest input, the factor from an input
    /// to an index, and the share of the result.
    VitrailEffectCube, VitrailEffectCurves,
    /// The part that is shown twice, by `count`: left, right, top, bottom, upper left quarter.
    VitrailEffectMirror,
    /// Blocks of one colour each.
    VitrailEffectBlocks,
} VitrailEffectKind;

/// Neighbouring pixels of a row or a column, and their weights, whose sum is 1.
typedef struct {
    int32_t first, count;
    const float *_Null_unspecified weights;
} VitrailSpan;

/// Blocks of one colour each over a part of the picture.
typedef struct {
    /// The columns and rows of pixels that are covered: x0 up to x1, y0 up to y1.
    int32_t x0, y0, x1, y1;
    int32_t columns, rows;
    /// The column of blocks for each column of pixels from x0, and the row of blocks for each row from y0.
    const int32_t *_Null_unspecified blockColumns;
    const int32_t *_Null_unspecified blockRows;
    /// The pixels whose mean is the colour, for each column and each row of blocks.
    const VitrailSpan *_Null_unspecified across;
    const VitrailSpan *_Null_unspecified down;
    /// Red, green and blue of each block, written by `vitrail_measure_fast` or `_exact`; null if all are black.
    float *_Null_unspecified colors;
} VitrailBlocks;

typedef struct {
    VitrailEffectKind kind;
    int32_t count;
    float numbers[12];
    /// Entries of four floats, of which the first three are red, green and blue.
    const float *_Null_unspecified table;
    VitrailBlocks blocks;
} VitrailEffect;

/// Effects one after another on a picture that a painter draws, and how the result is written.
typedef struct {
    const VitrailEffect *_Null_unspecified effects;
    int32_t count;
    /// The size of the picture.
    int32_t width, height;
    /// The bits of the target, for dithering; 0 for none.
    int32_t ditherDepth;
} VitrailEffects;

// MARK: The fast painter

/// How a row of samples becomes a row of the picture.
typedef enum {
    /// Sample by sample.
    VitrailAcrossSame,
    /// Each value is a mean of two neighbouring samples of a byte.
    VitrailAcrossPairs,
    /// Each value is a weighted sum of any number of samples, after the rows were summed.
    VitrailAcrossTaps,
} VitrailAcross;

/// How one component is read and scaled.
typedef struct {
    /// The number of samples from left to right and from top to bottom.
    int32_t width, height;
    /// Bytes of a sample's word: 1 or 2.
    int32_t wordBytes;
    /// How far a sample of two bytes is from the upper end of its word.
    int32_t leftShift;
    /// Bytes from a sample to that of its opacity, by which it is multiplied; 0 if there is none.
    int32_t opacity;
    VitrailAcross across;

    /// Pairs: eight columns share `windows` windows of 16 samples, from sample `bases[column / 8]`. For each window,
    /// and then for each column, `shuffles` has two indexes into it: 128 for a sample that is in another window. Tables
    /// have whole groups of 16 columns.
    int32_t windows;
    /// Pairs: the bytes of `shuffles` for one window and all columns, in multiples of 16.
    int32_t shufflesPerWindow;
    /// Taps: the number of samples for each column, a multiple of 8; from sample `bases[column]`.
    int32_t taps;
    const int32_t *_Null_unspecified bases;
    const uint8_t *_Null_unspecified shuffles;
    /// Pairs: the weight of the second sample of each column, 32768 for 1. Taps: of each sample, 2 to the power of
    /// `columnShift` for 1.
    const int16_t *_Null_unspecified weights;
    int32_t columnShift;
    /// Taps: the samples that any column needs.
    int32_t firstSample, sampleCount;

    /// Rows: row `y` of the picture is a weighted sum of `rowTaps` rows from `rows[y]`. If `across` is taps, each has a
    /// weight, 2 to the power of `rowShift` for 1; else there are two, and only the second's is listed, 32768 for 1.
    int32_t rowTaps, rowShift;
    const int32_t *_Null_unspecified rows;
    const int16_t *_Null_unspecified rowWeights;
} VitrailComponentPlan;

/// Where chroma samples lie if the picture is as wide as luma, and chroma has half as many columns.
typedef enum {
    /// Chroma has as many columns as luma, or is drawn like other components.
    VitrailHalvedNot,
    /// On the even columns.
    VitrailHalvedEven,
    /// Between two columns.
    VitrailHalvedCentred,
} VitrailHalved;

/// How a frame is drawn by the fast painter: values have 7 fractional bits, or 6 after `VitrailAcrossTaps`.
typedef struct {
    VitrailComponentPlan components[3];
    /// 1 for grey, else 3.
    int32_t componentCount;
    /// The width of the frame in the picture.
    int32_t width;
    /// Whether components are Y, Cb and Cr; else each is the picture's red, green or blue.
    bool hasChroma;
    /// The fractional bits of sums: 5 or 6.
    int32_t fraction;
    /// The neutral values of Cb and Cr as they are in their rows; distances from them are doubled.
    int16_t neutral[2];
    /// The factor of luma, or of each colour, 32768 for 1.
    int16_t gains[3];
    /// The factors of Cb and Cr in red, green and blue.
    int16_t chroma[6];
    /// What is added to red, green and blue, without rounding; the same for all if there is chroma.
    int16_t offsets[3];
    bool dithers;
    /// Whether only the Rec. 709 luma of the colours is shown; then nothing is `halved`.
    bool showsLuma;
    /// If not `VitrailHalvedNot`: luma is neither scaled nor wider than a byte, red does not depend on Cb nor blue on
    /// Cr, `fraction` is 6, nothing is dithered, and the weights of rows of chroma are multiples of 1/64.
    VitrailHalved halved;
    /// Whether pixels are BGRA instead of RGBA.
    bool isBlueFirst;
} VitrailFastPlan;

/// The memory of one thread.
typedef struct VitrailScratch VitrailScratch;
VitrailScratch *_Nonnull vitrail_scratch_make(void);
void vitrail_scratch_free(VitrailScratch *_Nonnull scratch);

/// Draws a part of a frame in RGBA or BGRA; false if there is no memory. With effects, nothing may be `halved`.
bool vitrail_paint_fast(
    VitrailScratch *_Nonnull scratch, const VitrailFastPlan *_Nonnull plan, const VitrailSamples *_Nonnull samples,
    const VitrailEffects *_Nullable effects, VitrailPart part);

/// Measures a row of blocks of the effect with a number, from what the effects before it make; false if there is no
/// memory. Another effect's blocks that it depends on must be measured already.
bool vitrail_measure_fast(
    VitrailScratch *_Nonnull scratch, const VitrailFastPlan *_Nonnull plan, const VitrailSamples *_Nonnull samples,
    const VitrailEffects *_Nonnull effects, int32_t number, int32_t row);

// MARK: The exact painter

/// How a row or a column of samples becomes one of the picture: `taps` samples from `bases[place]`.
typedef struct {
    int32_t taps;
    const int32_t *_Null_unspecified bases;
    const float *_Null_unspecified weights;
} VitrailAxis;

typedef enum { VitrailRegular, VitrailV210, VitrailBayer } VitrailPacking;

/// How the samples of one component are read.
typedef struct {
    int32_t wordBytes, shift, depth;
} VitrailWord;

typedef enum { VitrailRGBA8, VitrailBGRA8, VitrailRGB10A2, VitrailRGBA16F, VitrailRGBA32F } VitrailPictureFormat;

typedef enum {
    VitrailTransferPower, VitrailTransferSRGB, VitrailTransferLinear, VitrailTransferPQ, VitrailTransferHLG,
} VitrailTransfer;

/// A transfer function and the weights of red, green and blue in luminance.
typedef struct {
    VitrailTransfer kind;
    float gamma;
    float weights[3];
} VitrailTransferPlan;

/// How a frame is drawn by the exact painter.
typedef struct {
    VitrailPacking packing;
    /// Bayer: the column and row, 0 or 1, of red in memory.
    int32_t redColumn, redRow;
    /// Three components and opacity; a component without samples has the value of the first.
    VitrailWord words[4];
    bool hasOpacity, isFloat, isGray;
    /// The number of samples of the first component in memory, and of chroma.
    int32_t width, height, chromaWidth, chromaHeight;
    /// Packings that are not regular: whether x in the picture is y in memory, and whether memory runs against it.
    bool isTurned;
    /// Packings that are not regular: whether the second and the third component are swapped.
    bool isSwapped;
    /// From samples, 0 to 1, to R'G'B': three rows of a matrix, and offsets.
    float matrix[9];
    float offsets[3];
    /// Whether the matrix is applied before scaling, and whether light is scaled instead of code values.
    bool isMatrixFirst, isLinearLight;
    /// Luma and chroma; if the matrix is first, both from the luma grid for `across` and `down`, and the place of luma
    /// samples on the grid of chroma in the other two.
    VitrailAxis across[2], down[2], chromaAcross, chromaDown;
    /// Whether colours are converted, and how: to light, tone mapping, primaries, and back.
    bool isConverted, hasTone;
    VitrailTransferPlan source, target;
    float primaries[9];
    float toneRange[2], toneShape[3];
    /// The bits of the target, for dithering; 0 for none.
    int32_t ditherDepth;
    int32_t pictureWidth;
    VitrailPictureFormat format;
} VitrailExactPlan;

/// Draws a part of a frame; false if there is no memory. `first` is the first byte of each component in memory.
bool vitrail_paint_exact(
    VitrailScratch *_Nonnull scratch, const VitrailExactPlan *_Nonnull plan, const VitrailSamples *_Nonnull samples,
    const VitrailEffects *_Nullable effects, VitrailPart part);

/// The same as `vitrail_measure_fast`.
bool vitrail_measure_exact(
    VitrailScratch *_Nonnull scratch, const VitrailExactPlan *_Nonnull plan, const VitrailSamples *_Nonnull samples,
    const VitrailEffects *_Nonnull effects, int32_t number, int32_t row);

/// Fills a part with one opaque colour, 0 to 1.
void vitrail_fill(VitrailPictureFormat format, VitrailPart part, float red, float green, float blue);

/// Draws coverage over a part: premultiplied colour times coverage, over what is there. Null means full coverage.
void vitrail_blend(
    VitrailPictureFormat format, VitrailPart part, const uint8_t *_Nullable coverage, ptrdiff_t coverageBytesPerRow,
    const float *_Nonnull color);

// MARK: Encoding

/// Converts pixels to another format; they are opaque then.
void vitrail_convert(
    VitrailPictureFormat format, const uint8_t *_Nonnull from, VitrailPictureFormat toFormat, uint8_t *_Nonnull to,
    int32_t count);

/// Pixels in memory with a byte for each of red, green and blue.
typedef struct {
    /// The pixel at the upper left.
    const uint8_t *_Null_unspecified first;
    ptrdiff_t bytesPerRow;
    int32_t width, height;
    /// 3 or 4.
    int32_t bytesPerPixel;
    /// The index of each colour's byte in a pixel.
    int32_t red, green, blue;
    /// The index of the opacity's byte in a pixel of 4 bytes, negative for none; colours are multiplied by it.
    int32_t opacity;
} VitrailPixels;

/// Where Y, Cb and Cr go, a byte each, and how they are made.
typedef struct {
    /// The first sample of each.
    uint8_t *_Null_unspecified planes[3];
    /// Bytes from one row to the next.
    ptrdiff_t strides[3];
    /// Bytes from one sample of chroma to the next: 1, or 2 if Cb and Cr are interleaved.
    int32_t chromaStep;
    /// Whether chroma is the mean of two columns, and of two rows.
    bool halvesColumns, halvesRows;
    /// A row of the matrix and an offset for each, for code values 0 to 255.
    float weights[12];
} VitrailEncoding;

/// Encodes rows y0 up to y1; y0 is even. At the edges, the last pixel counts twice.
void vitrail_encode(
    const VitrailPixels *_Nonnull pixels, const VitrailEncoding *_Nonnull to, int32_t y0, int32_t y1);

/// A picture of VitrailRGB10A2, and where its Y, Cb and Cr of 4:2:0 go, as 16-bit words of 10 bits each.
typedef struct {
    /// The pixel at the upper left.
    const uint8_t *_Null_unspecified first;
    ptrdiff_t bytesPerRow;
    int32_t width, height;
    /// The first sample of each.
    uint16_t *_Null_unspecified planes[3];
    /// Bytes from one row to the next, even numbers.
    ptrdiff_t strides[3];
    /// A row of the matrix and an offset for each, for code values 0 to 1023.
    float weights[12];
} VitrailDeepEncoding;

/// Encodes rows y0 up to y1; y0 is even. At the edges, the last pixel counts twice.
void vitrail_encode_deep(const VitrailDeepEncoding *_Nonnull to, int32_t y0, int32_t y1);

// MARK: The processor

/// How many processors this process may use.
int32_t vitrail_processor_count(void);

/// The sets of vector instructions that this processor has and the painters were compiled for, as bits.
int64_t vitrail_instruction_sets(void);
/// The name of one of them.
const char *_Nonnull vitrail_instruction_set_name(int64_t set);
/// Uses only these sets from now on; 0 for all. For tests, while nothing is drawn.
void vitrail_use_instruction_sets(int64_t sets);

#ifdef __cplusplus
}
#endif
