// expect: none
// flags: -std=c++20
#include <atomic>

#include "scenario.h"

// A plain variable that is accessed as an atomic one.
static int plain;
static int value;

NOINLINE static void publish() {
  value = 1;
  std::atomic_ref<int>(plain).store(1, std::memory_order_release);
}
NOINLINE static void use() {
  while (!std::atomic_ref<int>(plain).load(std::memory_order_acquire)) continue;
  CONSUME(value);
}

int main() {
  run_two(publish, use);
}
