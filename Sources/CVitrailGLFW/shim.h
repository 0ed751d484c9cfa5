// Keeps GLFW from including an OpenGL header of its own: OpenGL comes from libepoxy.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
