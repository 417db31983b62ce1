// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

int value;
QMutex mutex;

// Two tasks of one pool at the same time, and one after both.
struct Task : QRunnable {
  int turn;
  explicit Task(int turn) : turn(turn) {}
  void run() override {
    wait_for_step(turn);
    {
      QMutexLocker locker(&mutex);
      value++;
    }
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
  return value - 2;
}
