// expect: none
// orders: signal-first wait-first
// modes: hybrid msm-short msm-long
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

QMutex mutex;
QWaitCondition condition;
int ready, payload;

NOINLINE static void publish(void) {
  payload = 42;
  mutex.lock();
  ready = 1;
  condition.wakeOne();
  mutex.unlock();
}
struct Waiter : QThread {
  void run() override {
    if (ordered("signal-first")) wait_for_step(1);
    mutex.lock();
    if (!ordered("signal-first")) take_step();
    while (!ready) condition.wait(&mutex);
    mutex.unlock();
    CONSUME(payload);
  }
};

int main() {
  Waiter waiter;
  waiter.start();
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  waiter.wait();
}
