// expect: data race
// flags: -std=c++20
// names: value
#include <semaphore>

#include "scenario.h"

// A semaphore that is raised by more than one.
static std::counting_semaphore<4> semaphore(0);
static int value;

NOINLINE static void publish() {
  semaphore.release(2);
  value = 1; // here
}
NOINLINE static void use() {
  semaphore.acquire();
  semaphore.acquire();
  CONSUME(value); // here
}

int main() {
  run_two(publish, use);
}
