// expect: none
// flags: -static-libstdc++
// As the other, with the C++ library linked in.
#include "future_at_thread_exit_norace.cc"
