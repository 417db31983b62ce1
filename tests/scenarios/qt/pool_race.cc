// expect: data race
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: skip, Qt is not instrumented
// names: value
// orders: task-first main-first
#include <QtCore>

#include "scenario.h"

int value;

NOINLINE static void change() {
  value++; // here
}

struct Task : QRunnable {
  void run() override {
    if (!ordered("task-first")) wait_for_step(1);
    change();
    take_step();
    // Not done before the other access.
    wait_for_step(2);
  }
};

int main() {
  QThreadPool pool;
  pool.start(new Task);
  if (ordered("task-first")) wait_for_step(1);
  // The pool is not waited for.
  change();
  take_step();
  pool.waitForDone();
}
