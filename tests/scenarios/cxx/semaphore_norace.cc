// expect: none
// flags: -std=c++20
// A semaphore of the C++ library.
#include <semaphore>
#include <thread>

#include "scenario.h"

std::binary_semaphore ready(0);
int payload;

NOINLINE static void sender() {
  payload = 42;
  ready.release();
}

NOINLINE static void receiver() {
  ready.acquire();
  CONSUME(payload);
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
