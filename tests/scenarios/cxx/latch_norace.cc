// expect: none
// flags: -std=c++20
// A latch that one thread counts down and the other waits for.
#include <latch>
#include <thread>

#include "scenario.h"

std::latch latch(1);
int payload;

NOINLINE static void sender() {
  payload = 42;
  latch.count_down();
}

NOINLINE static void receiver() {
  latch.wait();
  CONSUME(payload);
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
