#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <libavutil/time.h>

// Macros of expressions, which Swift cannot import.
static const int vitrail_averror_eof = AVERROR_EOF;
static const int vitrail_averror_exit = AVERROR_EXIT;
static const int vitrail_averror_invalid_data = AVERROR_INVALIDDATA;
static const int vitrail_averror_try_again = AVERROR(EAGAIN);
static const int64_t vitrail_no_timestamp = AV_NOPTS_VALUE;

static inline int vitrail_averror(int error_number) { return AVERROR(error_number); }

// Arrays inside structures are tuples in Swift, which have no subscript.
static inline const uint8_t *vitrail_frame_data(const AVFrame *frame, int plane) { return frame->data[plane]; }
static inline int vitrail_frame_linesize(const AVFrame *frame, int plane) { return frame->linesize[plane]; }
static inline AVStream *vitrail_stream(const AVFormatContext *context, int index) { return context->streams[index]; }
static inline int vitrail_component_depth(const AVPixFmtDescriptor *description, int component)
{
    return description->comp[component].depth;
}

// FFmpeg describes rgb8 as R with 2 bits, G and B with 3, but its converter reads and writes RGB 3:3:2: R and G with 3
// bits, B with 2, from the highest on.
static inline const AVPixFmtDescriptor *vitrail_description(int format)
{
    static const AVPixFmtDescriptor rgb8 = {
        .name = "rgb8",
        .nb_components = 3,
        .flags = AV_PIX_FMT_FLAG_RGB,
        .comp =
            {
                {.step = 1, .shift = 5, .depth = 3},
                {.step = 1, .shift = 2, .depth = 3},
                {.step = 1, .shift = 0, .depth = 2},
            },
    };
    return format == AV_PIX_FMT_RGB8 ? &rgb8 : av_pix_fmt_desc_get((enum AVPixelFormat)format);
}

// Reads a row of a frame as numbers, for any pixel format; `line` has 2 or 4 bytes for each sample.
static inline void vitrail_read_line(
    const AVFrame *frame, const AVPixFmtDescriptor *description, int component, int row, int width, void *line,
    int sample_bytes)
{
    av_read_image_line2(
        line, (const uint8_t **)frame->data, frame->linesize, description, 0, row, component, width, 0, sample_bytes);
}
