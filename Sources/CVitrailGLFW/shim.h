// GLFW would include its own OpenGL header otherwise; OpenGL is libepoxy's here.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
