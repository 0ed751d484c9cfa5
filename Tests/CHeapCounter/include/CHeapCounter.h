// Counts the allocations that Swift code makes on a thread and the locks that it takes, by standing before the C library's
// malloc and its kin.

#include <stdbool.h>

// False under a sanitizer, which brings a malloc of its own.
bool heap_counter_is_available(void);

// Begins counting on the calling thread.
void heap_counter_begin(void);

// Ends counting on the calling thread and returns the number of allocations.
long heap_counter_end(void);

// How often the program's own code has locked a mutex on the calling thread so far.
long lock_counter_count(void);
