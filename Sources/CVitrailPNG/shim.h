#include <png.h>

// Macros of libpng's simplified API, which Swift cannot import.
static const png_uint_32 vitrail_png_format_rgba = PNG_FORMAT_RGBA;
static const png_uint_32 vitrail_png_image_version = PNG_IMAGE_VERSION;
static const png_uint_32 vitrail_png_fast = PNG_IMAGE_FLAG_FAST;
