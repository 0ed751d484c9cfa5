// A thread's memory, which grows and is freed only at the end, so that drawing allocates nothing in steady state.
#pragma once

#include <cstdint>
#include <cstdlib>

struct VitrailScratch {
    /// Blocks of memory, each for one purpose, by number.
    enum { kBlocks = 32 };

    void *blocks[kBlocks] = {};
    size_t sizes[kBlocks] = {};

    ~VitrailScratch() {
        for (void *block : blocks) std::free(block);
    }

    /// A block of at least `count` elements, aligned to 64 bytes, with its old content or zeros; null without memory.
    template <class T>
    T *block(int number, size_t count) {
        const size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
        if (sizes[number] < bytes) {
            std::free(blocks[number]);
            blocks[number] = std::aligned_alloc(64, bytes);
            sizes[number] = blocks[number] ? bytes : 0;
            if (!blocks[number]) return nullptr;
            // Vectors read beyond the end of a row. What they find there has no weight, but must be finite.
            for (size_t i = 0; i < bytes / 8; i++) static_cast<uint64_t *>(blocks[number])[i] = 0;
        }
        return static_cast<T *>(blocks[number]);
    }
};
