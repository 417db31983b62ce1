// expect: none
// orders: mutex reader condition condition-in-time await signalled signalled-in-time notified looked-at counter barrier
// flags: -std=c++17 {pkg:absl_synchronization}
// needs: absl/synchronization/mutex.h
// tsan: false alarm, Abseil is not instrumented
// What Abseil's locks order, and what it makes of them, in its library.
#include "absl/ways.h"

int payload, count;

NOINLINE static void first() {
  payload = 1;
  hand_over();
}
NOINLINE static void second() {
  take_over();
  payload++;
}

// Counted by both all the time.
NOINLINE static void each(void (*own)()) {
  for (int i = 0; i < 100; i++) {
    absl::MutexLock guard(&mutex);
    count++;
  }
  own();
}

int main() {
  std::thread other([] { each(second); });
  each(first);
  other.join();
  CONSUME(payload + count);
}
