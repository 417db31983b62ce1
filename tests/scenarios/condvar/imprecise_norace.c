// expect: none
// also: c++
// options: precise=0
// modes: hybrid msm-short msm-long
// orders: signal-first wait-first
// A wrong access that goes unseen if whoever leaves a loop comes after all who
// signalled: the imprecise column of the papers.
#include "condvar/one_condvar_race.c"
