// Bounds loops: in a user's effect, every loop calls vitrail_go before each iteration. All loops together may run this
// many iterations for a pixel or a point. llvmpipe itself ends a loop after slightly more; other drivers would hang.

int vitrail_turns = 0;
bool vitrail_go() { return ++vitrail_turns <= 65000; }
