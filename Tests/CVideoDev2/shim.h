#include <linux/videodev2.h>

// The kernel's rules are macros with parameters, which Swift cannot import.
static inline unsigned vitrail_v4l2_colorspace(int is_sdtv, int is_hdtv) {
    return V4L2_MAP_COLORSPACE_DEFAULT(is_sdtv, is_hdtv);
}
static inline unsigned vitrail_v4l2_encoding(unsigned colorspace) { return V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace); }
static inline unsigned vitrail_v4l2_quantization(int is_rgb, unsigned colorspace, unsigned encoding) {
    return V4L2_MAP_QUANTIZATION_DEFAULT(is_rgb, colorspace, encoding);
}
static inline unsigned vitrail_v4l2_transfer(unsigned colorspace) { return V4L2_MAP_XFER_FUNC_DEFAULT(colorspace); }
static const unsigned long vitrail_s_output = VIDIOC_S_OUTPUT;
