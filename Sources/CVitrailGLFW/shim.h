// Keeps GLFW from including an OpenGL header of its own: OpenGL comes from libepoxy.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// Of GLFW 3.4, where one library is for X11 and Wayland; older headers lack them.
#ifndef GLFW_PLATFORM
#define GLFW_PLATFORM 0x00050003
#define GLFW_PLATFORM_WAYLAND 0x00060003
#define GLFW_PLATFORM_X11 0x00060004
#endif
#ifndef GLFW_WAYLAND_APP_ID
#define GLFW_WAYLAND_APP_ID 0x00026001
#endif
