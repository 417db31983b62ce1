// expect: data race
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: skip, Qt is not instrumented
// names: value
#include <QtCore>

#include "scenario.h"

int value;

NOINLINE static void change() {
  value++; // here
}

// Two tasks of one pool at the same time.
struct Task : QRunnable {
  int turn;
  explicit Task(int turn) : turn(turn) {}
  void run() override {
    wait_for_step(turn);
    change();
    take_step();
    wait_for_step(2);
  }
};

int main() {
  QThreadPool pool;
  pool.setMaxThreadCount(2);
  pool.start(new Task(0));
  pool.start(new Task(1));
  pool.waitForDone();
}
