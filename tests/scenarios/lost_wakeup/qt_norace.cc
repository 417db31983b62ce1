// expect: none
// timeout: 300
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

// The waiter looks, and does not wait for a signal that was.
QMutex mutex;
QWaitCondition condition;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  mutex.lock();
  while (!ready) condition.wait(&mutex);
  mutex.unlock();
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  mutex.lock();
  ready = 1;
  condition.wakeOne();
  mutex.unlock();
  take_step();
  pthread_join(thread, nullptr);
}
