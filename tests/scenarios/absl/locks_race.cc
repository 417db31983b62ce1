// expect: data race
// orders: mutex reader condition condition-in-time await signalled signalled-in-time notified looked-at counter barrier
// names: payload
// flags: -std=c++17 {pkg:absl_synchronization}
// needs: absl/synchronization/mutex.h
// What is changed again after it was handed over.
#include "absl/ways.h"

int payload;

NOINLINE static void first() {
  hand_over();
  payload = 1; // here
  take_step();
}
NOINLINE static void second() {
  take_over();
  wait_for_step(1);
  payload++; // here
}

int main() {
  std::thread other(second);
  first();
  other.join();
}
