#include <sys/syscall.h>
#include <unistd.h>

// libdispatch's functions for foreign run loops, such as CoreFoundation's. No public header declares them. They
// are weak, so that the program links even with a libdispatch that lacks them.
__attribute__((weak)) extern int _dispatch_get_main_queue_handle_4CF(void);
__attribute__((weak)) extern void _dispatch_main_queue_callback_4CF(void *);

// An event descriptor that is readable while the main queue has work; -1 on any thread but the main one, or if
// libdispatch has none. After the first call, the caller must run the queue on the main thread.
static inline int vitrail_main_queue_descriptor(void) {
    if (syscall(SYS_gettid) != getpid()) return -1;
    if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return -1;
    return _dispatch_get_main_queue_handle_4CF();
}

// Runs the work in the main queue; call it on the main thread, and only with a descriptor.
static inline void vitrail_run_main_queue(void) { _dispatch_main_queue_callback_4CF(0); }
