// expect: data race
// flags: -std=c++20 -stdlib=libc++
// needs: barrier
// names: value
#include <barrier>
#include <functional>

#include "scenario.h"

// The last to arrive at libc++'s barrier comes after all others.
static std::barrier<> barrier(2);
static int value;

NOINLINE static void first() {
  (void)barrier.arrive();
  value = 1; // here
}
NOINLINE static void last() {
  barrier.arrive_and_wait();
  CONSUME(value); // here
}

int main() {
  run_two(first, last);
}
