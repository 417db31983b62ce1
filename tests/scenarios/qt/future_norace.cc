// expect: none
// flags: -fPIC {pkg:Qt5Concurrent}
// needs: QtConcurrent
// tsan: false alarm, Qt is not instrumented
#include <QtConcurrent>
#include <vector>

#include "scenario.h"

int input, effect;

static std::vector<int> make(int size) { return std::vector<int>(size, input); }
static void act() { effect = input; }

int main() {
  for (int round = 0; round < 20; round++) {
    input = round;
    QFuture<std::vector<int>> made = QtConcurrent::run(make, 100);
    QFuture<void> acted = QtConcurrent::run(act);
    if (made.result()[99] != round) abort();
    acted.waitForFinished();
    if (effect != round) abort();
    QFuture<void> watched = QtConcurrent::run(act);
    while (!watched.isFinished()) QThread::yieldCurrentThread();
    CONSUME(effect);
  }
}
