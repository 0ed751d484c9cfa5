// Keeps a mutex until the thread that is leaving it has left.
//
// A thread of Mesa's llvmpipe that has drawn its part of a picture locks the picture's fence, counts itself, wakes who
// waits, and unlocks. Who waits may read the count without the lock (`lp_fence_signalled`), go on, and destroy the fence
// with the next picture. If that thread had to leave the processor before it could unlock, it then writes into memory
// that somebody else has got. On a busy machine, one of some thousand programs with effects ended with a damaged heap
// ("corrupted size vs. prev_size in fastbins"). This is so in Mesa 22.3, and the code is the same in later versions.
//
// The definitions of a program come before those of the C library, so the driver calls these. A valid program does not
// notice, since POSIX lets nobody destroy a locked mutex.

// The thread sanitizer has definitions of its own. The fields of a mutex are those of glibc.
#if __has_include(<gnu/libc-version.h>) && !__has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// It is locked for microseconds, unless its thread waits for a processor.
static int wait_until_unlocked(pthread_mutex_t *mutex) {
    if (!__atomic_load_n(&mutex->__data.__lock, __ATOMIC_ACQUIRE)) return 0;
    // A thread that is about to leave is no owner any more. One that has ended, or is not in this process, since it was
    // forked, never leaves.
    const pid_t owner = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
    if (owner == gettid() || (owner && tgkill(getpid(), owner, 0) != 0)) return EBUSY;
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 10;
    if (pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &limit) != 0) return EBUSY;
    return pthread_mutex_unlock(mutex);
}

// Exported, and kept although nothing in the program calls it.
#define EXPORTED __attribute__((visibility("default"), used, retain))

// What Mesa 22.3 calls. A mutex of glibc owns nothing that would have to be freed.
EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex) { return wait_until_unlocked(mutex); }

// What later versions call, which use C11's threads; in glibc, these mutexes are the same.
EXPORTED void mtx_destroy(mtx_t *mutex) { wait_until_unlocked((pthread_mutex_t *)mutex); }

#endif
