// expect: data race
// flags: -static-libstdc++
// names: thrown
// reports: any
// As the other, with the C++ library linked in.
#include "exception_ptr_race.cc"
