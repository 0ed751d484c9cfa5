#include <epoxy/gl.h>
// Without X11's headers.
#define EGL_NO_X11
#include <epoxy/egl.h>

// These macros are casts, which Swift does not import.
static const EGLContext vitrail_epoxy_no_context = EGL_NO_CONTEXT;
static const EGLSurface vitrail_epoxy_no_surface = EGL_NO_SURFACE;

// Calls a function on another stack; in C, because Swift cannot import the variadic makecontext.
#include <stdint.h>
#include <ucontext.h>

typedef struct {
    ucontext_t caller, called;
    void (*run)(void *);
    void *argument;
} vitrail_stack_call;

static inline void vitrail_stack_enter(unsigned int high, unsigned int low) {
    vitrail_stack_call *call = (vitrail_stack_call *)(uintptr_t)((uint64_t)high << 32 | low);
    call->run(call->argument);
}

// Calls a function on a stack, and returns 0, or does not call it and returns another number.
static inline int vitrail_call_on_stack(void *stack, size_t size, void (*run)(void *), void *argument) {
    vitrail_stack_call call;
    if (getcontext(&call.called) != 0) return -1;
    call.run = run;
    call.argument = argument;
    call.called.uc_stack.ss_sp = stack;
    call.called.uc_stack.ss_size = size;
    call.called.uc_link = &call.caller;
    uint64_t address = (uintptr_t)&call;
    makecontext(&call.called, (void (*)(void))vitrail_stack_enter, 2, (unsigned int)(address >> 32), (unsigned int)address);
    return swapcontext(&call.caller, &call.called);
}
