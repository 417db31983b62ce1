// expect: lost wake-up
// names: condition variable 'condition', that signal is lost, waits for the end of
// timeout: 300
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: skip, it hangs
#include <QtCore>

#include "scenario.h"

// The signal comes first, and the waiter does not look whether it has.
QMutex mutex;
QWaitCondition condition;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  mutex.lock();
  condition.wait(&mutex); // here
  mutex.unlock();
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  mutex.lock();
  ready = 1;
  condition.wakeOne(); // here
  mutex.unlock();
  take_step();
  pthread_join(thread, nullptr); // here
}
