// expect: data race
// flags: -std=c++20 -stdlib=libc++
// needs: iostream
// reports: any
#include <iostream>
#include <sstream>

#include "scenario.h"

// Threads may share the standard streams, and no others.
static std::ostringstream stream;

NOINLINE static void print() {
  stream << "text" << 5 << '\n'; // here
}

int main() {
  run_two(print, print);
}
