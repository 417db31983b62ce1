// expect: data race
// flags: -std=c++20
// names: value
#include <atomic>

#include "scenario.h"

// A plain variable that is accessed as an atomic one.
static int plain;
static int value;

NOINLINE static void publish() {
  std::atomic_ref<int>(plain).store(1, std::memory_order_release);
  value = 1; // here
}
NOINLINE static void use() {
  while (!std::atomic_ref<int>(plain).load(std::memory_order_acquire)) continue;
  CONSUME(value); // here
}

int main() {
  run_two(publish, use);
}
