// expect: data race
// orders: first-second second-first
// names: shared
#include <shared_mutex>

#include "scenario.h"

std::shared_mutex mutex;
int shared;

NOINLINE static void first() {
  std::shared_lock<std::shared_mutex> guard(mutex);
  shared = 1; // here
}
NOINLINE static void second() {
  std::shared_lock<std::shared_mutex> guard(mutex);
  shared = 2; // here
}

int main() { run_ordered(first, second); }
