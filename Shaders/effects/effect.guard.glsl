// Ends loops: in a user's effect, every loop asks this before each turn. All loops together have this many turns for a
// pixel, or for a point; llvmpipe ends loops after a few more by itself, other drivers hang.

int vitrail_turns = 0;
bool vitrail_go() { return ++vitrail_turns <= 65000; }
