#include <sys/syscall.h>
#include <unistd.h>

// What libdispatch offers to run loops that are not its own; CoreFoundation's is one. No public header has these. Weak, so
// that a libdispatch without them is no error.
__attribute__((weak)) extern int _dispatch_get_main_queue_handle_4CF(void);
__attribute__((weak)) extern void _dispatch_main_queue_callback_4CF(void *);

// An event descriptor that is readable while the main queue has something to do; -1 on another thread than the main one, and
// where there is no such thing. From the first call on somebody has to run the queue on the main thread.
static inline int vitrail_main_queue_descriptor(void) {
    if (syscall(SYS_gettid) != getpid()) return -1;
    if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return -1;
    return _dispatch_get_main_queue_handle_4CF();
}

// Runs what is in the main queue; on the main thread, and only with a descriptor.
static inline void vitrail_run_main_queue(void) { _dispatch_main_queue_callback_4CF(0); }
