// expect: data race
// flags: -static-libstdc++
// names: exception_thrown_on_race.cc, handle
// As the other, with the C++ library linked in.
#include "exception_thrown_on_race.cc"
