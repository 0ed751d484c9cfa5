#define _GNU_SOURCE
#include "CHeapCounter.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void *(*allocate_t)(const void *metadata, size_t size, size_t alignment_mask);

static _Thread_local bool counting;
static _Thread_local long count;
static _Atomic(allocate_t) original;

// The test program's own definition comes before the runtime library's, which it then calls.
void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask) {
    allocate_t next = atomic_load_explicit(&original, memory_order_relaxed);
    if (!next) {
        next = (allocate_t)dlsym(RTLD_NEXT, "swift_allocObject");
        atomic_store_explicit(&original, next, memory_order_relaxed);
    }
    if (counting) count++;
    return next(metadata, size, alignment_mask);
}

void heap_counter_begin(void) {
    count = 0;
    counting = true;
}

long heap_counter_end(void) {
    counting = false;
    return count;
}
