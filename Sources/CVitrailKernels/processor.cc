// What the processor has.
#include "include/CVitrailKernels.h"

#include <hwy/highway.h>
#include <sched.h>

int32_t vitrail_processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int64_t vitrail_instruction_sets(void) {
    // Only the sets that the painters were compiled for.
    return hwy::SupportedTargets() & HWY_TARGETS;
}

const char *vitrail_instruction_set_name(int64_t set) { return hwy::TargetName(set); }

void vitrail_use_instruction_sets(int64_t sets) {
    hwy::SetSupportedTargetsForTest(sets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
