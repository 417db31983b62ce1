// expect: data race
// names: payload
// flags: -std=c++20
// A semaphore of the C++ library.
#include <semaphore>
#include <thread>

#include "scenario.h"

std::binary_semaphore ready(0);
int payload;

NOINLINE static void sender() {
  ready.release();
  payload = 42; // here
  take_step();
}

NOINLINE static void receiver() {
  ready.acquire();
  wait_for_step(1);
  CONSUME(payload); // here
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
