// expect: data race
// names: out
// Two threads set the width of one stream.
#include <sstream>

#include "scenario.h"

std::ostringstream out;

NOINLINE static void first() {
  out.width(3);
}

NOINLINE static void second() {
  out.width(4);
}

int main() { run_two(first, second); }
