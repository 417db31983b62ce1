// expect: data race
// names: shared
#include <mutex>

#include "scenario.h"

std::mutex mutex;
int shared;

NOINLINE static void locked() {
  std::lock_guard<std::mutex> guard(mutex);
  shared = 1; // here
}
NOINLINE static void unlocked_too_early() {
  std::unique_lock<std::mutex> guard(mutex);
  guard.unlock();
  shared = 2; // here
}

int main() { run_two(unlocked_too_early, locked); }
