// expect: possible data race
// also: c++
// options: precise=1
// modes: hybrid msm-short msm-long
// orders: signal-first wait-first
// names: right_value
// tsan: misses, the mutex happens to order the two
// The same program, where only those count who made the condition true.
#include "condvar/one_condvar_race.c"
