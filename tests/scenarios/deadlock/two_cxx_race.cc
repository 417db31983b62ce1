// expect: lock-order inversion (potential deadlock), lock-order inversion (potential deadlock)
// names: mutex 'a', mutex 'b', mutex 'c', mutex 'd'
#include <mutex>

#include "scenario.h"

// Two pairs of locks, all of them taken by the same lines of std::mutex.
std::mutex a, b, c, d;

NOINLINE static void both(std::mutex &one, std::mutex &other) {
  std::lock_guard<std::mutex> outer(one);   // here
  std::lock_guard<std::mutex> inner(other); // here
}

NOINLINE static void first() {
  both(a, b);
  both(c, d);
}
NOINLINE static void second() {
  both(b, a);
  both(d, c);
}

int main() { run_ordered(first, second); }
