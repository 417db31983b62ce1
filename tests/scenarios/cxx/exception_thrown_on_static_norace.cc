// expect: none
// flags: -static-libstdc++
// orders: first-second second-first
// As the other, with the C++ library linked in.
#include "exception_thrown_on_norace.cc"
