// expect: none
#include <mutex>
#include <stdexcept>

#include "scenario.h"

std::mutex mutex;
int shared;

NOINLINE static void throw_under_lock() {
  std::lock_guard<std::mutex> guard(mutex);
  shared += 1;
  throw std::runtime_error("leave");
}
NOINLINE static void first() {
  for (int i = 0; i < 2000; ++i) {
    try {
      throw_under_lock();
    } catch (const std::exception &) {
    }
  }
}
NOINLINE static void second() { first(); }

int main() { run_two(first, second); }
