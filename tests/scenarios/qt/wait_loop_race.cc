// expect: data race
// orders: signal-first wait-first
// modes: hybrid msm-short msm-long
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: skip, Qt is not instrumented
// names: payload
#include <QtCore>

#include "scenario.h"

QMutex mutex;
QWaitCondition condition;
int ready, payload;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  mutex.lock();
  ready = 1;
  condition.wakeOne();
  mutex.unlock();
  write_late();
}
struct Waiter : QThread {
  void run() override {
    if (ordered("signal-first")) wait_for_step(1);
    mutex.lock();
    if (!ordered("signal-first")) take_step();
    while (!ready) condition.wait(&mutex);
    mutex.unlock();
    wait_for_step(ordered("signal-first") ? 1 : 2);
    USE(payload); // here
    take_step();
  }
};

int main() {
  Waiter waiter;
  waiter.start();
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  wait_for_step(ordered("signal-first") ? 2 : 3);
  // Some detectors say nothing the first time.
  write_late();
  waiter.wait();
}
