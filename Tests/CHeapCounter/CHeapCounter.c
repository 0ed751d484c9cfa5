#define _GNU_SOURCE
#include "CHeapCounter.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local bool counting;
static _Thread_local long count;
static _Thread_local long locks;

// Where Swift's code lies: the test program and the runtime's libraries. Drivers and other C libraries are not counted.
static struct { uintptr_t begin, end; } ranges[64];
static int range_count, program_range_count;

static int add_ranges(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    if (info->dlpi_name[0] != 0 && !strstr(info->dlpi_name, "libswift")) return 0;
    for (int i = 0; i < info->dlpi_phnum && range_count < 64; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        ranges[range_count].begin = info->dlpi_addr + header->p_vaddr;
        ranges[range_count].end = ranges[range_count].begin + header->p_memsz;
        range_count++;
        if (info->dlpi_name[0] == 0) program_range_count = range_count;
    }
    return 0;
}

__attribute__((constructor)) static void find_ranges(void) { dl_iterate_phdr(add_ranges, NULL); }

#ifndef SANITIZED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static inline bool is_among(int count, void *caller) {
    for (int i = 0; i < count; i++) {
        if ((uintptr_t)caller >= ranges[i].begin && (uintptr_t)caller < ranges[i].end) return true;
    }
    return false;
}

static inline void note(void *caller) {
    if (counting && is_among(range_count, caller)) count++;
}

// The test program's own definitions come before the C library's, which do the work.
void *malloc(size_t size) {
    note(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note(__builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note(__builtin_return_address(0));
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static _Atomic(void *) found;
    if (!found) found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    // Not those of Swift's runtime, which takes some now and then.
    if (is_among(program_range_count, __builtin_return_address(0))) locks++;
    return ((int (*)(pthread_mutex_t *))found)(mutex);
}

bool heap_counter_is_available(void) { return true; }
#else
bool heap_counter_is_available(void) { return false; }
#endif

void heap_counter_begin(void) {
    count = 0;
    counting = true;
}

long heap_counter_end(void) {
    counting = false;
    return count;
}

long lock_counter_count(void) { return locks; }
