// expect: none
// flags: -static-libstdc++
// tsan: false alarm, the count of references is in the C++ library
// As the other, with the C++ library linked in.
#include "exception_ptr_norace.cc"
