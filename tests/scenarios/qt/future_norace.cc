// expect: none
// flags: -fPIC {pkg:Qt5Concurrent}
// needs: QtConcurrent
// tsan: false alarm, Qt is not instrumented
#include <QtConcurrent>
#include <vector>

#include "scenario.h"

int input, effect;

static std::vector<int> make(int size) { return std::vector<int>(size, input); }
static void fill() { effect = input; }

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  for (int round = 0; round < 20; round++) {
    input = round;
    QFuture<std::vector<int>> made = QtConcurrent::run(make, 100);
    QFuture<void> filled = QtConcurrent::run(fill);
    if (made.result()[99] != round) abort();
    filled.waitForFinished();
    if (effect != round) abort();
    QFuture<void> watched = QtConcurrent::run(fill);
    while (!watched.isFinished()) QThread::yieldCurrentThread();
    CONSUME(effect);
    // Told by an event.
    QEventLoop loop;
    QFutureWatcher<void> watcher;
    QObject::connect(&watcher, &QFutureWatcher<void>::finished, &loop, [&loop] {
      CONSUME(effect);
      loop.quit();
    });
    watcher.setFuture(QtConcurrent::run(fill));
    loop.exec();
  }
}
