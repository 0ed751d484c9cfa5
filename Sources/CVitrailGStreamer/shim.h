#include <gst/allocators/gstdmabuf.h>
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <string.h>

// Swift imports neither casts between classes nor functions with a variable number of arguments, both of which GObject has
// many of.

static inline GstBin *vitrail_gst_bin(GstElement *element) { return GST_BIN(element); }
static inline GstAppSink *vitrail_gst_app_sink(GstElement *element) { return GST_APP_SINK(element); }
static inline GstAppSrc *vitrail_gst_app_source(GstElement *element) { return GST_APP_SRC(element); }
static inline int vitrail_gst_is_pipeline(GstElement *element) { return GST_IS_PIPELINE(element); }
static inline void vitrail_gst_set(GstElement *element, const char *property, const char *value) {
    gst_util_set_object_arg(G_OBJECT(element), property, value);
}
static inline void vitrail_gst_unref(void *object) { gst_object_unref(object); }

// The only element of a kind in a pipeline; NULL if there is none. The caller unrefs it.
static inline GstElement *vitrail_gst_find(GstBin *bin, GType type) {
    GstElement *found = NULL;
    GstIterator *all = gst_bin_iterate_recurse(bin);
    GValue item = G_VALUE_INIT;
    while (gst_iterator_next(all, &item) == GST_ITERATOR_OK) {
        GstElement *element = g_value_get_object(&item);
        if (!found && G_TYPE_CHECK_INSTANCE_TYPE(element, type)) found = gst_object_ref(element);
        g_value_reset(&item);
    }
    g_value_unset(&item);
    gst_iterator_free(all);
    return found;
}
static inline GstElement *vitrail_gst_find_sink(GstBin *bin) { return vitrail_gst_find(bin, GST_TYPE_APP_SINK); }
static inline GstElement *vitrail_gst_find_source(GstBin *bin) { return vitrail_gst_find(bin, GST_TYPE_APP_SRC); }

// Of the messages of a pipeline, only errors and the end are kept: nobody takes the others, and they would fill the memory.
static inline GstBusSyncReply vitrail_gst_keep_errors(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus, (void)data;
    if (GST_MESSAGE_TYPE(message) & (GST_MESSAGE_ERROR | GST_MESSAGE_EOS)) return GST_BUS_PASS;
    gst_message_unref(message);
    return GST_BUS_DROP;
}
static inline GstBus *vitrail_gst_bus(GstElement *pipeline) {
    GstBus *bus = gst_element_get_bus(pipeline);
    if (bus) gst_bus_set_sync_handler(bus, vitrail_gst_keep_errors, NULL, NULL);
    return bus;
}
// The next error, or the message that all has ended; NULL if there is none.
static inline GstMessage *vitrail_gst_take_end(GstBus *bus) {
    return gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
}
static inline int vitrail_gst_is_error(GstMessage *message) { return GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR; }
static inline void vitrail_gst_wait_for_end(GstBus *bus, guint64 nanoseconds) {
    GstMessage *message = gst_bus_timed_pop_filtered(bus, nanoseconds, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    if (message) gst_message_unref(message);
}
static inline void vitrail_gst_message_unref(GstMessage *message) { gst_message_unref(message); }
static inline void vitrail_gst_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
static inline GstCaps *vitrail_gst_caps_ref(GstCaps *caps) { return gst_caps_ref(caps); }
static inline GstBuffer *vitrail_gst_buffer_ref(GstBuffer *buffer) { return gst_buffer_ref(buffer); }
static inline void vitrail_gst_caps_unref(GstCaps *caps) { gst_caps_unref(caps); }
static inline void vitrail_gst_buffer_unref(GstBuffer *buffer) { gst_buffer_unref(buffer); }

// Whether what comes to a sink is live. The sink itself says that nothing is if it shows everything at once.
static inline int vitrail_gst_is_live(GstElement *sink) {
    gboolean live = FALSE;
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    GstQuery *query = gst_query_new_latency();
    if (gst_pad_peer_query(pad, query)) gst_query_parse_latency(query, &live, NULL, NULL);
    gst_query_unref(query);
    gst_object_unref(pad);
    return live;
}
static inline int vitrail_gst_rewind(GstElement *pipeline) {
    return gst_element_seek_simple(pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, 0);
}

static const guint64 vitrail_gst_no_time = GST_CLOCK_TIME_NONE;
static const GstMapFlags vitrail_gst_map_read = GST_MAP_READ;
static inline int vitrail_gst_is_corrupt(GstBuffer *buffer) {
    return GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_CORRUPTED);
}
static inline GstVideoMeta *vitrail_gst_video_meta(GstBuffer *buffer) { return gst_buffer_get_video_meta(buffer); }
static inline GstVideoCropMeta *vitrail_gst_crop(GstBuffer *buffer) { return gst_buffer_get_video_crop_meta(buffer); }
static inline gsize vitrail_gst_meta_offset(const GstVideoMeta *meta, int plane) { return meta->offset[plane]; }
static inline int vitrail_gst_meta_stride(const GstVideoMeta *meta, int plane) { return meta->stride[plane]; }
static inline gsize vitrail_gst_info_offset(GstVideoInfo info, int plane) { return info.offset[plane]; }
static inline int vitrail_gst_info_stride(GstVideoInfo info, int plane) { return info.stride[plane]; }
static inline void vitrail_gst_describe_i420(
    GstBuffer *buffer, unsigned width, unsigned height, const long *offsets, const int *strides) {
    gsize places[GST_VIDEO_MAX_PLANES] = {offsets[0], offsets[1], offsets[2]};
    gint rows[GST_VIDEO_MAX_PLANES] = {strides[0], strides[1], strides[2]};
    gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, width, height, 3, places, rows);
}
// Asks the elements after a source, on its own thread and with its first picture, whether they take rows with any number of
// bytes: the answer is 1 if they do, 2 if not, and 0 until then. It must exist as long as the source.
static inline GstPadProbeReturn vitrail_gst_ask_for_strides(GstPad *pad, GstPadProbeInfo *info, gpointer answer) {
    (void)info;
    gboolean takes = FALSE;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (caps) {
        GstQuery *query = gst_query_new_allocation(caps, FALSE);
        takes = gst_pad_peer_query(pad, query) && gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
        gst_query_unref(query);
        gst_caps_unref(caps);
    }
    g_atomic_int_set((gint *)answer, takes ? 1 : 2);
    return GST_PAD_PROBE_REMOVE;
}
static inline void vitrail_gst_learn_strides(GstElement *source, int *answer) {
    GstPad *pad = gst_element_get_static_pad(source, "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, vitrail_gst_ask_for_strides, answer, NULL);
    gst_object_unref(pad);
}
static inline int vitrail_gst_answer(int *answer) { return g_atomic_int_get(answer); }
// A copy of a picture in the layout that all elements take; NULL if there is no memory.
static inline GstBuffer *vitrail_gst_copy_i420(
    unsigned width, unsigned height, const void *first, const void *second, const void *third, const int *strides) {
    GstVideoInfo info;
    GstVideoFrame frame;
    const unsigned char *planes[] = {first, second, third};
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, width, height);
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, info.size, NULL);
    if (!buffer) return NULL;
    if (!gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE)) {
        gst_buffer_unref(buffer);
        return NULL;
    }
    for (int plane = 0; plane < 3; plane++)
        for (int row = 0; row < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, plane); row++)
            memcpy(
                (unsigned char *)GST_VIDEO_FRAME_PLANE_DATA(&frame, plane) + row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane),
                planes[plane] + row * strides[plane], GST_VIDEO_FRAME_COMP_WIDTH(&frame, plane));
    gst_video_frame_unmap(&frame);
    return buffer;
}
// Whether all memory of a picture is DMA-BUFs, the format of whose planes is that of the caps.
static inline int vitrail_gst_is_dma_buffer(GstBuffer *buffer) {
    guint count = gst_buffer_n_memory(buffer);
    for (guint index = 0; index < count; index++)
        if (!gst_is_dmabuf_memory(gst_buffer_peek_memory(buffer, index))) return 0;
    return count > 0;
}
// The file descriptor that a byte of a picture is in, and its place there; -1 if the picture ends before.
static inline int vitrail_gst_descriptor(GstBuffer *buffer, gsize offset, gsize *place) {
    guint index, length;
    gsize skip;
    if (!gst_buffer_find_memory(buffer, offset, 1, &index, &length, &skip)) return -1;
    GstMemory *memory = gst_buffer_peek_memory(buffer, index);
    *place = memory->offset + skip;
    return gst_dmabuf_memory_get_fd(memory);
}
// The planes of a mapped picture.
static inline const unsigned char *vitrail_gst_plane(const GstVideoFrame *frame, int plane) {
    return GST_VIDEO_FRAME_PLANE_DATA(frame, plane);
}
static inline int vitrail_gst_stride(const GstVideoFrame *frame, int plane) {
    return GST_VIDEO_FRAME_PLANE_STRIDE(frame, plane);
}
// The bytes from the beginning of a plane to the end of what is mapped.
static inline gsize vitrail_gst_plane_room(const GstVideoFrame *frame, int plane) {
    const unsigned char *first = GST_VIDEO_FRAME_PLANE_DATA(frame, plane);
    for (int index = 0; index < GST_VIDEO_MAX_PLANES; index++) {
        const GstMapInfo *map = &frame->map[index];
        if (map->data && first >= map->data && first < map->data + map->size) return map->data + map->size - first;
    }
    return 0;
}
