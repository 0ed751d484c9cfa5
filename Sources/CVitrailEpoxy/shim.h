#include <epoxy/gl.h>
// Without X11's headers.
#define EGL_NO_X11
#include <epoxy/egl.h>

// These macros are casts, which Swift does not import.
static const EGLContext vitrail_epoxy_no_context = EGL_NO_CONTEXT;
static const EGLSurface vitrail_epoxy_no_surface = EGL_NO_SURFACE;
