// expect: none
// orders: first-second second-first
#include <mutex>

#include "scenario.h"

std::mutex mutex, other;
std::recursive_mutex recursive;
std::timed_mutex timed;
int shared[3];

NOINLINE static void use() {
  {
    std::scoped_lock guard(mutex, other);
    shared[0] += 1;
  }
  {
    std::lock_guard<std::recursive_mutex> outer(recursive);
    std::lock_guard<std::recursive_mutex> inner(recursive);
    shared[1] += 1;
  }
  std::unique_lock<std::timed_mutex> guard(timed, std::chrono::seconds(1000));
  shared[2] += 1;
}
NOINLINE static void use_again() { use(); }

int main() { run_ordered(use, use_again); }
