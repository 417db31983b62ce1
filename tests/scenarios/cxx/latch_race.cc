// expect: data race
// names: payload
// flags: -std=c++20
// A latch that one thread counts down and the other waits for.
#include <latch>
#include <thread>

#include "scenario.h"

std::latch latch(1);
int payload;

NOINLINE static void sender() {
  latch.count_down();
  payload = 42; // here
  take_step();
}

NOINLINE static void receiver() {
  latch.wait();
  wait_for_step(1);
  CONSUME(payload); // here
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
