// expect: none
// orders: first-second second-first
#include <atomic>
#include <thread>

#include "scenario.h"

std::atomic<bool> ready;
std::atomic<double> sum;
std::atomic_flag lock = ATOMIC_FLAG_INIT;
int payload, guarded;

NOINLINE static void work() {
  double seen = sum.load(std::memory_order_relaxed);
  while (!sum.compare_exchange_weak(seen, seen + 1.5, std::memory_order_relaxed)) {
  }
  while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  guarded += 1;
  lock.clear(std::memory_order_release);
}
NOINLINE static void first() {
  payload = 42;
  ready = true;
  work();
}
NOINLINE static void second() {
  if (ready) CONSUME(payload);
  work();
}

int main() { run_ordered(first, second); }
