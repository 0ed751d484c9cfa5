#include <EGL/egl.h>
#include <EGL/eglext.h>

// These macros are casts, which Swift does not import.
static const EGLContext vitrail_no_context = EGL_NO_CONTEXT;
static const EGLSurface vitrail_no_surface = EGL_NO_SURFACE;
static const EGLDisplay vitrail_no_display = EGL_NO_DISPLAY;
