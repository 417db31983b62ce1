// expect: none
// flags: -std=c++20
// Waiting for an atomic variable to change.
#include <atomic>
#include <thread>

#include "scenario.h"

std::atomic<int> ready(0);
int payload;

NOINLINE static void sender() {
  payload = 42;
  ready.store(1, std::memory_order_release);
  ready.notify_one();
}

NOINLINE static void receiver() {
  ready.wait(0, std::memory_order_acquire);
  CONSUME(payload);
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
