// expect: none
// flags: -std=c++20 -stdlib=libc++
// needs: barrier
// tsan: false alarm, libc++ is not instrumented
#include <barrier>
#include <functional>

#include "scenario.h"

// The last to arrive at libc++'s barrier comes after all others.
static std::barrier<> barrier(2);
static int value;

NOINLINE static void first() {
  value = 1;
  (void)barrier.arrive();
}
NOINLINE static void last() {
  barrier.arrive_and_wait();
  CONSUME(value);
}

int main() {
  run_two(first, last);
}
