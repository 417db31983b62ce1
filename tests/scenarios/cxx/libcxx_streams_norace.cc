// expect: none
// flags: -std=c++20 -stdlib=libc++
// needs: iostream
// tsan: false alarm, it takes what libc++ stores for the program's
#include <iostream>
#include <sstream>

#include "scenario.h"

// Threads may share the standard streams, and no others.
NOINLINE static void print() {
  std::cout << "text" << 5 << '\n';
}

int main() {
  run_two(print, print);
}
