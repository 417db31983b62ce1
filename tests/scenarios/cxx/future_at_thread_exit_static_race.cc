// expect: data race
// flags: -static-libstdc++
// names: payload
// As the other, with the C++ library linked in.
#include "future_at_thread_exit_race.cc"
