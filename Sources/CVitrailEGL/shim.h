#include <EGL/egl.h>
#include <EGL/eglext.h>

// These macros are casts, which Swift does not import.
static const EGLContext vitrail_no_context = EGL_NO_CONTEXT;
static const EGLSurface vitrail_no_surface = EGL_NO_SURFACE;
static const EGLDisplay vitrail_no_display = EGL_NO_DISPLAY;

// A thread whose driver crashes stops there, and the program goes on without it.

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// Variables are in functions, since Swift emits no others of a header.

// Where a crash of this thread is noted; null if a crash is to end the program.
static inline volatile int32_t **vitrail_guarded(void) {
    static _Thread_local volatile int32_t *crash;
    return &crash;
}

static inline struct sigaction *vitrail_earlier_action(int number) {
    static struct sigaction actions[64];
    return &actions[number];
}

static void vitrail_stop(int number, siginfo_t *info, void *context) {
    (void)context;
    if (*vitrail_guarded()) {
        **vitrail_guarded() = number;
        for (;;) pause();
    }
    // As it was before: the instruction fails again, and abort() raises the signal again.
    sigaction(number, vitrail_earlier_action(number), 0);
    // Sent by somebody, it does not come again by itself.
    if (info->si_code <= 0) raise(number);
}

// The signal of a crash; 0 at the end.
static inline int vitrail_crash_signal(unsigned index) {
    const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    return index < sizeof numbers / sizeof *numbers ? numbers[index] : 0;
}

static inline void vitrail_install_guard(void) {
    for (unsigned i = 0; vitrail_crash_signal(i); i++) {
        struct sigaction action = {0};
        action.sa_sigaction = vitrail_stop;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(vitrail_crash_signal(i), &action, vitrail_earlier_action(vitrail_crash_signal(i)));
    }
}

// Whoever started the program may have blocked them, and then they end it: abort() does not unblock its own since glibc
// 2.41 (Debian 13).
static inline void vitrail_unblock_crash_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    for (unsigned i = 0; vitrail_crash_signal(i); i++) sigaddset(&signals, vitrail_crash_signal(i));
    pthread_sigmask(SIG_UNBLOCK, &signals, 0);
}

// A compiler that recurses too deeply leaves no stack for the handler, so that it has one of its own.
// What is there already, as with a sanitizer, stays. Returns the new one.
static inline void *vitrail_make_signal_stack(void) {
    stack_t stack;
    if (sigaltstack(0, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return 0;
    stack = (stack_t){.ss_size = 1 << 16};
    stack.ss_sp = malloc(stack.ss_size);
    if (stack.ss_sp) sigaltstack(&stack, 0);
    return stack.ss_sp;
}

static inline void vitrail_free_signal_stack(void *memory) {
    if (!memory) return;
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, 0);
    free(memory);
}

static inline void vitrail_guard(volatile int32_t *crash) { *vitrail_guarded() = crash; }
