#include <linux/videodev2.h>
#include <libv4lconvert.h>
#include <sys/sysmacros.h>

// The numbers of ioctl and the flags are macros of expressions, which Swift cannot import.
static const unsigned long vitrail_querycap = VIDIOC_QUERYCAP;
static const unsigned long vitrail_enum_fmt = VIDIOC_ENUM_FMT;
static const unsigned long vitrail_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long vitrail_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long vitrail_g_fmt = VIDIOC_G_FMT;
static const unsigned long vitrail_s_fmt = VIDIOC_S_FMT;
static const unsigned long vitrail_g_parm = VIDIOC_G_PARM;
static const unsigned long vitrail_s_parm = VIDIOC_S_PARM;
static const unsigned long vitrail_reqbufs = VIDIOC_REQBUFS;
static const unsigned long vitrail_querybuf = VIDIOC_QUERYBUF;
static const unsigned long vitrail_expbuf = VIDIOC_EXPBUF;
static const unsigned long vitrail_qbuf = VIDIOC_QBUF;
static const unsigned long vitrail_dqbuf = VIDIOC_DQBUF;
static const unsigned long vitrail_streamon = VIDIOC_STREAMON;
static const unsigned long vitrail_streamoff = VIDIOC_STREAMOFF;
static const unsigned long vitrail_query_ext_ctrl = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long vitrail_querymenu = VIDIOC_QUERYMENU;
static const unsigned long vitrail_g_ctrl = VIDIOC_G_CTRL;
static const unsigned long vitrail_s_ctrl = VIDIOC_S_CTRL;
static const unsigned long vitrail_enuminput = VIDIOC_ENUMINPUT;
static const unsigned long vitrail_g_input = VIDIOC_G_INPUT;
static const unsigned long vitrail_s_input = VIDIOC_S_INPUT;
static const unsigned long vitrail_query_dv_timings = VIDIOC_QUERY_DV_TIMINGS;

static const unsigned vitrail_cap_video_capture = V4L2_CAP_VIDEO_CAPTURE;
static const unsigned vitrail_cap_video_capture_mplane = V4L2_CAP_VIDEO_CAPTURE_MPLANE;
static const unsigned vitrail_cap_streaming = V4L2_CAP_STREAMING;
static const unsigned vitrail_cap_device_caps = V4L2_CAP_DEVICE_CAPS;

static const unsigned vitrail_buf_flag_error = V4L2_BUF_FLAG_ERROR;
static const unsigned vitrail_buf_flag_timestamp_mask = V4L2_BUF_FLAG_TIMESTAMP_MASK;
static const unsigned vitrail_buf_flag_timestamp_monotonic = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;

static const unsigned vitrail_fmt_flag_compressed = V4L2_FMT_FLAG_COMPRESSED;
static const unsigned vitrail_pix_fmt_yuv420 = V4L2_PIX_FMT_YUV420;
static const unsigned vitrail_pix_fmt_rgb24 = V4L2_PIX_FMT_RGB24;
static const unsigned vitrail_pix_fmt_priv_magic = V4L2_PIX_FMT_PRIV_MAGIC;
static const unsigned vitrail_ctrl_flag_next = V4L2_CTRL_FLAG_NEXT_CTRL;
static const unsigned vitrail_ctrl_flag_disabled = V4L2_CTRL_FLAG_DISABLED;
static const unsigned vitrail_ctrl_flag_inactive = V4L2_CTRL_FLAG_INACTIVE;
static const unsigned vitrail_ctrl_flag_read_only = V4L2_CTRL_FLAG_READ_ONLY;
static const unsigned vitrail_ctrl_flag_write_only = V4L2_CTRL_FLAG_WRITE_ONLY;
static const unsigned vitrail_ctrl_flag_grabbed = V4L2_CTRL_FLAG_GRABBED;

// Of the timings of a digital signal, only whether there are any matters; Swift would lay them out differently.
struct vitrail_dv_timings { unsigned char bytes[sizeof(struct v4l2_dv_timings)]; };

// A packed structure with a union, which Swift lays out differently.
static inline const char *vitrail_menu_name(const struct v4l2_querymenu *menu) { return (const char *)menu->name; }
static inline long long vitrail_menu_value(const struct v4l2_querymenu *menu) { return menu->value; }
static inline void vitrail_menu_ask(struct v4l2_querymenu *menu, unsigned id, unsigned index)
{
    menu->id = id;
    menu->index = index;
}
