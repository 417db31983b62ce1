// expect: data race
// names: payload
#include <atomic>

#include "scenario.h"

std::atomic<bool> ready;
int payload;

NOINLINE static void publish() {
  payload = 42; // here
  ready.store(true, std::memory_order_relaxed);
}
NOINLINE static void use() {
  while (!ready.load()) {
  }
  CONSUME(payload); // here
}

int main() { run_two(publish, use); }
