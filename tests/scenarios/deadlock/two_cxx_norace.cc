// expect: none
#include <mutex>

#include "scenario.h"

// As two_cxx_race, in one order.
std::mutex a, b, c, d;

NOINLINE static void both(std::mutex &one, std::mutex &other) {
  std::lock_guard<std::mutex> outer(one);
  std::lock_guard<std::mutex> inner(other);
}

NOINLINE static void first() {
  both(a, b);
  both(c, d);
}
NOINLINE static void second() {
  both(a, b);
  both(c, d);
}

int main() { run_ordered(first, second); }
