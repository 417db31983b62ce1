// expect: data race
// orders: blocking waited
// names: total
// flags: -fPIC {pkg:Qt5Concurrent}
// needs: QtConcurrent
// What two threads do with the parts of a list is not ordered.
#include <QtConcurrent>

#include "scenario.h"

int total;

NOINLINE static void add(int &item) {
  if (item == 1) {
    total += item; // here
    take_step();
    wait_for_step(2);
  } else {
    wait_for_step(1);
    total += item; // here
    take_step();
  }
}

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThreadPool::globalInstance()->setMaxThreadCount(2);
  QVector<int> items{1, 2};
  if (ordered("blocking")) {
    QtConcurrent::blockingMap(items, add);
  } else {
    QtConcurrent::map(items, add).waitForFinished();
  }
}
