#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <pipewire/pipewire.h>
#include <spa/debug/types.h>
#include <spa/param/buffers.h>
#include <spa/param/video/format-utils.h>
#include <spa/param/video/type-info.h>

// What is a macro in C: Swift does not see those.

// MARK: Loop, core and registry

static inline void vitrail_pw_enter(struct pw_loop *loop) { pw_loop_enter(loop); }
static inline void vitrail_pw_leave(struct pw_loop *loop) { pw_loop_leave(loop); }
static inline int vitrail_pw_iterate(struct pw_loop *loop, int milliseconds) {
    return pw_loop_iterate(loop, milliseconds);
}
static inline void vitrail_pw_watch(struct pw_loop *loop, int descriptor, spa_source_io_func_t body, void *data) {
    pw_loop_add_io(loop, descriptor, SPA_IO_IN, false, body, data);
}
static inline void vitrail_pw_core_listen(
    struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events, void *data) {
    pw_core_add_listener(core, hook, events, data);
}
static inline int vitrail_pw_core_sync(struct pw_core *core) { return pw_core_sync(core, PW_ID_CORE, 0); }
static inline struct pw_registry *vitrail_pw_registry(struct pw_core *core) {
    return pw_core_get_registry(core, PW_VERSION_REGISTRY, 0);
}
static inline void vitrail_pw_registry_listen(
    struct pw_registry *registry, struct spa_hook *hook, const struct pw_registry_events *events, void *data) {
    pw_registry_add_listener(registry, hook, events, data);
}
static inline void vitrail_pw_proxy_destroy(void *proxy) { pw_proxy_destroy((struct pw_proxy *)proxy); }
static const uint32_t vitrail_pw_any_id = PW_ID_ANY;
static const char *const vitrail_pw_type_node = PW_TYPE_INTERFACE_Node;

// MARK: Parameters of a stream

// The name of a format of raw video, as in "I420"; NULL for an unknown one.
static inline const char *vitrail_pw_format_name(uint32_t format) {
    return spa_debug_type_find_short_name(spa_type_video_format, format);
}
// The format of a name; 0 for an unknown one.
static inline uint32_t vitrail_pw_format(const char *name) {
    for (const struct spa_type_info *info = spa_type_video_format; info->name; info++)
        if (strcmp(spa_debug_type_short_name(info->name), name) == 0) return info->type;
    return SPA_VIDEO_FORMAT_UNKNOWN;
}
// Writes an offer of raw video, in any of these formats, into a room of 4096 bytes.
static inline const struct spa_pod *vitrail_pw_offer(
    void *room, const uint32_t *formats, uint32_t count, struct spa_rectangle least, struct spa_rectangle most,
    struct spa_fraction slowest, struct spa_fraction fastest) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, 4096);
    struct spa_pod_frame object, choice;
    spa_pod_builder_push_object(&builder, &object, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
    spa_pod_builder_add(
        &builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw), 0);
    spa_pod_builder_prop(&builder, SPA_FORMAT_VIDEO_format, 0);
    spa_pod_builder_push_choice(&builder, &choice, SPA_CHOICE_Enum, 0);
    // The first one is what is preferred.
    for (uint32_t index = 0; index <= count; index++) spa_pod_builder_id(&builder, formats[index ? index - 1 : 0]);
    spa_pod_builder_pop(&builder, &choice);
    spa_pod_builder_add(
        &builder, SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&most, &least, &most),
        SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(&fastest, &slowest, &fastest), 0);
    return (const struct spa_pod *)spa_pod_builder_pop(&builder, &object);
}
// Reads the agreed format; whether it is raw video.
static inline int vitrail_pw_parse(const struct spa_pod *format, struct spa_video_info_raw *info) {
    uint32_t type = 0, subtype = 0;
    memset(info, 0, sizeof(*info));
    return spa_format_parse(format, &type, &subtype) >= 0 && type == SPA_MEDIA_TYPE_video
        && subtype == SPA_MEDIA_SUBTYPE_raw && spa_format_video_raw_parse(format, info) >= 0;
}
// Asks for buffers in memory of either kind, and for what is known of each picture: in a room of 1024 bytes.
static inline int vitrail_pw_ask(struct pw_stream *stream, void *room) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, 1024);
    const struct spa_pod *wanted[4];
    wanted[0] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(4, 2, 16), SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemPtr) | (1 << SPA_DATA_MemFd)));
    wanted[1] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
        SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header)));
    wanted[2] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_VideoCrop),
        SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_region)));
    wanted[3] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type,
        SPA_POD_Id(SPA_META_VideoTransform), SPA_PARAM_META_size,
        SPA_POD_Int(sizeof(struct spa_meta_videotransform)));
    return pw_stream_update_params(stream, wanted, 4);
}
// Writes the one format of what is shown, into a room of 1024 bytes.
static inline const struct spa_pod *vitrail_pw_format_of(void *room, const struct spa_video_info_raw *info) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, 1024);
    struct spa_video_info_raw copy = *info;
    return spa_format_video_raw_build(&builder, SPA_PARAM_EnumFormat, &copy);
}
// Asks for buffers of one block, in memory of either kind, and for the time of each picture: in a room of 1024 bytes.
static inline int vitrail_pw_lend(struct pw_stream *stream, void *room, int bytes, int stride) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, 1024);
    const struct spa_pod *wanted[2];
    wanted[0] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(8, 2, 16), SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1), SPA_PARAM_BUFFERS_size,
        SPA_POD_Int(bytes), SPA_PARAM_BUFFERS_stride, SPA_POD_Int(stride), SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemPtr) | (1 << SPA_DATA_MemFd)));
    wanted[1] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
        SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header)));
    return pw_stream_update_params(stream, wanted, 2);
}
// What is known of a picture; NULL if nothing is.
static inline const struct spa_meta_header *vitrail_pw_header(const struct spa_buffer *buffer) {
    return (const struct spa_meta_header *)spa_buffer_find_meta_data(
        buffer, SPA_META_Header, sizeof(struct spa_meta_header));
}
static inline const struct spa_meta_region *vitrail_pw_crop(const struct spa_buffer *buffer) {
    return (const struct spa_meta_region *)spa_buffer_find_meta_data(
        buffer, SPA_META_VideoCrop, sizeof(struct spa_meta_region));
}
static inline const struct spa_meta_videotransform *vitrail_pw_transform(const struct spa_buffer *buffer) {
    return (const struct spa_meta_videotransform *)spa_buffer_find_meta_data(
        buffer, SPA_META_VideoTransform, sizeof(struct spa_meta_videotransform));
}

// MARK: The session bus

static inline void vitrail_g_unref(void *object) { g_object_unref(object); }

// A connection of one's own to the bus of the session; NULL if there is none.
static inline GDBusConnection *vitrail_session_bus(void) {
    gchar *address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    if (!address) return NULL;
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
        address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
        NULL);
    g_free(address);
    return bus;
}
// A string in a dictionary; NULL if it has none. It lives as long as the dictionary.
static inline const char *vitrail_variant_string(GVariant *dictionary, const char *key) {
    const char *text = NULL;
    return g_variant_lookup(dictionary, key, "&s", &text) || g_variant_lookup(dictionary, key, "&o", &text) ? text : NULL;
}
// The number in the answer to org.freedesktop.DBus.Properties.Get; whether it is one.
static inline int vitrail_variant_number(GVariant *answer, guint32 *number) {
    GVariant *value = NULL;
    if (!g_variant_is_of_type(answer, G_VARIANT_TYPE("(v)"))) return 0;
    g_variant_get(answer, "(v)", &value);
    int is_number = g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32);
    if (is_number) *number = g_variant_get_uint32(value);
    g_variant_unref(value);
    return is_number;
}
// The results of a request to a portal, which the caller unrefs; NULL if there are none.
static inline GVariant *vitrail_variant_response(GVariant *values, guint32 *code) {
    GVariant *results = NULL;
    if (g_variant_is_of_type(values, G_VARIANT_TYPE("(ua{sv})"))) g_variant_get(values, "(u@a{sv})", code, &results);
    return results;
}
// The node of the first stream that a portal has lent; whether there is one.
static inline int vitrail_variant_node(GVariant *results, guint32 *node) {
    GVariant *streams = g_variant_lookup_value(results, "streams", G_VARIANT_TYPE("a(ua{sv})"));
    int has = streams && g_variant_n_children(streams) > 0;
    if (has) g_variant_get_child(streams, 0, "(u@a{sv})", node, NULL);
    if (streams) g_variant_unref(streams);
    return has;
}
// Calls a method that answers with a file descriptor; -1 and an error if it does not. It takes the arguments.
static inline int vitrail_call_for_descriptor(
    GDBusConnection *bus, const char *service, const char *path, const char *interface, const char *method,
    GVariant *arguments, GError **error) {
    GUnixFDList *list = NULL;
    GVariant *answer = g_dbus_connection_call_with_unix_fd_list_sync(
        bus, service, path, interface, method, arguments, G_VARIANT_TYPE("(h)"), G_DBUS_CALL_FLAGS_NONE, 30000, NULL, &list,
        NULL, error);
    gint32 index = 0;
    int descriptor = -1;
    if (answer) g_variant_get(answer, "(h)", &index);
    if (answer && list) descriptor = g_unix_fd_list_get(list, index, error);
    if (answer) g_variant_unref(answer);
    if (list) g_object_unref(list);
    return descriptor;
}
