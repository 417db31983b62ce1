// expect: data race
// flags: -static-libstdc++
// As the other, with the C++ library linked in.
#include "exception_thrown_on_race.cc"
