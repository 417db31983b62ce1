// expect: none
// flags: -std=c++20
#include <semaphore>

#include "scenario.h"

// A semaphore that is raised by more than one.
static std::counting_semaphore<4> semaphore(0);
static int value;

NOINLINE static void publish() {
  value = 1;
  semaphore.release(2);
}
NOINLINE static void use() {
  semaphore.acquire();
  semaphore.acquire();
  CONSUME(value);
}

int main() {
  run_two(publish, use);
}
