// expect: data race
// flags: -fPIC {pkg:Qt5Concurrent}
// needs: QtConcurrent
// tsan: skip, Qt is not instrumented
// names: value
// orders: task-first main-first
#include <QtConcurrent>

#include "scenario.h"

int value;

NOINLINE static void change() {
  value++; // here
}

static void task() {
  if (!ordered("task-first")) wait_for_step(1);
  change();
  take_step();
  // Not finished before the other access.
  wait_for_step(2);
}

int main() {
  QFuture<void> future = QtConcurrent::run(task);
  if (ordered("task-first")) wait_for_step(1);
  change();
  take_step();
  future.waitForFinished();
}
