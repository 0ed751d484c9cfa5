// Counts the Swift objects that a thread puts on the heap by standing before the runtime's swift_allocObject. In C,
// because it runs inside every allocation.

#include <stdbool.h>

// Begins counting on the calling thread.
void heap_counter_begin(void);

// Ends counting on the calling thread and returns the number of objects.
long heap_counter_end(void);
