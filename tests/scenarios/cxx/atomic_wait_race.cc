// expect: data race
// names: payload
// flags: -std=c++20
// Waiting for an atomic variable to change.
#include <atomic>
#include <thread>

#include "scenario.h"

std::atomic<int> ready(0);
int payload;

NOINLINE static void sender() {
  ready.store(1, std::memory_order_release);
  ready.notify_one();
  payload = 42; // here
  take_step();
}

NOINLINE static void receiver() {
  ready.wait(0, std::memory_order_acquire);
  wait_for_step(1);
  CONSUME(payload); // here
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
