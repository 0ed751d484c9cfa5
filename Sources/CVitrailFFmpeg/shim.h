#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/time.h>

// Macros of expressions, which Swift cannot import.
static const int vitrail_averror_eof = AVERROR_EOF;
static const int vitrail_averror_exit = AVERROR_EXIT;
static const int vitrail_averror_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int vitrail_averror_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int vitrail_averror_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int vitrail_averror_http_other = AVERROR_HTTP_OTHER_4XX;
static const int vitrail_averror_http_server_error = AVERROR_HTTP_SERVER_ERROR;
#ifdef AVERROR_HTTP_TOO_MANY_REQUESTS
static const int vitrail_averror_http_too_many = AVERROR_HTTP_TOO_MANY_REQUESTS;
#else
static const int vitrail_averror_http_too_many = AVERROR_HTTP_OTHER_4XX;
#endif
static const int vitrail_averror_invalid_data = AVERROR_INVALIDDATA;
static const int vitrail_averror_no_protocol = AVERROR_PROTOCOL_NOT_FOUND;
static const int vitrail_averror_try_again = AVERROR(EAGAIN);
static const int vitrail_averror_external = AVERROR_EXTERNAL;
static const int64_t vitrail_no_timestamp = AV_NOPTS_VALUE;
static const int vitrail_buffer_readonly = AV_BUFFER_FLAG_READONLY;
static const int vitrail_keep_reference = AV_BUFFERSRC_FLAG_KEEP_REF;
static const unsigned vitrail_no_conversion = AVFILTER_AUTO_CONVERT_NONE;

static inline int vitrail_averror(int error_number) { return AVERROR(error_number); }

// Arrays inside structures are tuples in Swift, which have no subscript.
static inline const uint8_t *vitrail_frame_data(const AVFrame *frame, int plane) { return frame->data[plane]; }
static inline int vitrail_frame_linesize(const AVFrame *frame, int plane) { return frame->linesize[plane]; }
static inline AVStream *vitrail_stream(const AVFormatContext *context, int index) { return context->streams[index]; }
static inline int vitrail_component_depth(const AVPixFmtDescriptor *description, int component)
{
    return description->comp[component].depth;
}

// Opens the parser of a codec, whose identifier is a plain number before FFmpeg 9, and an `AVCodecID` since.
static inline AVCodecParserContext *vitrail_parser(enum AVCodecID codec) { return av_parser_init(codec); }

// Whether it is v308, v408 or v410, which FFmpeg 9 reads as raw video, without codecs of their own.
static inline int vitrail_is_packed_raw_video(enum AVCodecID codec)
{
#if LIBAVCODEC_VERSION_MAJOR < 63
    return codec == AV_CODEC_ID_V308 || codec == AV_CODEC_ID_V408 || codec == AV_CODEC_ID_V410;
#else
    return 0;
#endif
}

// The formats that an encoder takes, up to AV_PIX_FMT_NONE; NULL if it does not say it. FFmpeg 7.1 asks for a function.
static inline const enum AVPixelFormat *vitrail_encoder_formats(const AVCodec *encoder)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *formats = NULL;
    return avcodec_get_supported_config(NULL, encoder, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL) < 0
        ? NULL : (const enum AVPixelFormat *)formats;
#else
    return encoder->pix_fmts;
#endif
}

// FFmpeg 6.1 put these properties of a frame into its flags, and FFmpeg 8 removed the fields that had them before.
#ifdef AV_FRAME_FLAG_KEY
static inline int vitrail_frame_is_key(const AVFrame *frame) { return (frame->flags & AV_FRAME_FLAG_KEY) != 0; }
static inline int vitrail_frame_is_interlaced(const AVFrame *frame)
{
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
}
static inline int vitrail_frame_is_top_field_first(const AVFrame *frame)
{
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
}
#else
static inline int vitrail_frame_is_key(const AVFrame *frame) { return frame->key_frame != 0; }
static inline int vitrail_frame_is_interlaced(const AVFrame *frame) { return frame->interlaced_frame != 0; }
static inline int vitrail_frame_is_top_field_first(const AVFrame *frame) { return frame->top_field_first != 0; }
#endif

static inline void vitrail_frame_set_flags(AVFrame *frame, int is_key, int is_interlaced, int is_top_field_first)
{
#ifdef AV_FRAME_FLAG_KEY
    frame->flags |= (is_key ? AV_FRAME_FLAG_KEY : 0) | (is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0)
        | (is_top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    frame->key_frame = is_key;
    frame->interlaced_frame = is_interlaced;
    frame->top_field_first = is_top_field_first;
#endif
}

// FFmpeg 6 gave the duration of a frame another name.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
static inline int64_t vitrail_frame_duration(const AVFrame *frame) { return frame->duration; }
static inline void vitrail_frame_set_duration(AVFrame *frame, int64_t duration) { frame->duration = duration; }
#else
static inline int64_t vitrail_frame_duration(const AVFrame *frame) { return frame->pkt_duration; }
static inline void vitrail_frame_set_duration(AVFrame *frame, int64_t duration) { frame->pkt_duration = duration; }
#endif

static inline void vitrail_frame_set_plane(AVFrame *frame, int plane, uint8_t *data, int linesize)
{
    frame->data[plane] = data;
    frame->linesize[plane] = linesize;
    frame->extended_data = frame->data;
}

// Copies the pixels of a frame into a buffer, which the frame then owns instead of its own.
static inline int vitrail_move_picture(AVFrame *frame, AVBufferRef *buffer)
{
    uint8_t *data[4];
    int lines[4];
    const int result =
        av_image_fill_arrays(data, lines, buffer->data, (enum AVPixelFormat)frame->format, frame->width, frame->height, 64);
    if (result < 0) return result;
    av_image_copy(
        data, lines, (const uint8_t **)frame->data, frame->linesize, (enum AVPixelFormat)frame->format, frame->width,
        frame->height);
    for (int i = 0; i < AV_NUM_DATA_POINTERS; i++) av_buffer_unref(&frame->buf[i]);
    frame->buf[0] = buffer;
    for (int plane = 0; plane < 4; plane++) vitrail_frame_set_plane(frame, plane, data[plane], lines[plane]);
    return 0;
}

// The data that a container states once for a whole stream. Since FFmpeg 6.1 it is part of the decoder's parameters, and
// FFmpeg 8 removed the functions for the former place. Returns NULL if there is none of this type; the stream keeps it.
static inline const uint8_t *vitrail_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVPacketSideData *found =
        av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = found ? found->size : 0;
    return found ? found->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

// Takes such data away from a decoder, before it is opened. FFmpeg 6.1 and later put it into every frame, before what the
// frame says itself, or as if the frame said it.
static inline void vitrail_forget_side_data(AVCodecContext *context, enum AVPacketSideDataType type)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    av_packet_side_data_remove(context->coded_side_data, &context->nb_coded_side_data, type);
#endif
}

// Adds such data, not yet initialised. Returns NULL if there is no memory.
static inline uint8_t *vitrail_stream_add_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    AVPacketSideData *added = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    return added ? added->data : NULL;
#else
    return av_stream_new_side_data(stream, type, size);
#endif
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

// Has `get_buffer` allocate the frames of a decoder, on any of its threads.
static inline void vitrail_set_get_buffer(
    AVCodecContext *context, int (*get_buffer)(AVCodecContext *, AVFrame *, int), void *opaque)
{
    context->opaque = opaque;
    context->get_buffer2 = get_buffer;
#if FF_API_THREAD_SAFE_CALLBACKS
    // Later versions assume that `get_buffer` is thread-safe.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    context->thread_safe_callbacks = 1;
#pragma clang diagnostic pop
#endif
}

// Lays out the planes of a frame as its decoder needs them, in `buffer` if there is one. Returns the number of bytes; 0
// if the decoder or the format needs FFmpeg's own memory.
static inline int64_t vitrail_lay_out(AVCodecContext *context, AVFrame *frame, AVBufferRef *buffer)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (!(context->codec->capabilities & AV_CODEC_CAP_DR1) || context->codec_type != AVMEDIA_TYPE_VIDEO || !description
        || description->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM))
        return 0;
    int width = frame->width, height = frame->height, alignment[AV_NUM_DATA_POINTERS], lines[4];
    avcodec_align_dimensions2(context, &width, &height, alignment);
    // The width grows until the rows of every plane are aligned.
    for (int is_aligned = 0; !is_aligned; width += width & -width) {
        if (width <= 0 || av_image_fill_linesizes(lines, (enum AVPixelFormat)frame->format, width) < 0) return 0;
        is_aligned = 1;
        for (int plane = 0; plane < 4; plane++) is_aligned &= lines[plane] % alignment[plane] == 0;
    }
    const ptrdiff_t strides[4] = {lines[0], lines[1], lines[2], lines[3]};
    size_t sizes[4];
    if (av_image_fill_plane_sizes(sizes, (enum AVPixelFormat)frame->format, height, strides) < 0) return 0;
    if (buffer) {
        frame->buf[0] = buffer;
        frame->extended_data = frame->data;
    }
    int64_t total = 0;
    for (int plane = 0; plane < 4 && sizes[plane]; plane++) {
        if (buffer) {
            frame->data[plane] = buffer->data + total;
            frame->linesize[plane] = lines[plane];
        }
        // Vector code may write beyond the last row; 64 bytes more keep the next plane aligned.
        total += ((int64_t)sizes[plane] + 63) / 64 * 64 + 64;
    }
    return total;
}

// Makes a context that writes; FFmpeg 7 declares the bytes as constant. Returns NULL if there is no memory.
static inline AVIOContext *vitrail_alloc_writer(
    void *buffer, int size, void *opaque, int (*write)(void *, const uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int))
{
    if (!buffer) return NULL;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

// The name of HEVC in MP4 whose parameter sets are in the header only.
static const unsigned vitrail_tag_hvc1 = MKTAG('h', 'v', 'c', '1');

static inline int vitrail_close_noting(AVFormatContext *context, AVIOContext *io) {
    int *failure = (int *)context->opaque;
    if (!io) return 0;
    avio_flush(io);
    int error = io->error, result = avio_close(io);
    if (failure && *failure == 0) *failure = error < 0 ? error : result < 0 ? result : 0;
    return result;
}
// Notes the first failure of the files that a muxer makes itself: that of HLS ignores it.
static inline void vitrail_note_failures(AVFormatContext *context, int *failure) {
    context->opaque = failure;
    context->io_close2 = vitrail_close_noting;
}
