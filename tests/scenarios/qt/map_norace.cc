// expect: none
// flags: -fPIC {pkg:Qt5Concurrent}
// needs: QtConcurrent
// tsan: false alarm, Qt is not instrumented
// What several threads make of a list is there for who waited for all of it. The
// functions that reduce are left out: those of Qt 5 have a race of their own.
#include <QtConcurrent>

#include "scenario.h"

struct Item {
  int value = 1, square = 0;
};

NOINLINE static void square(Item &item) { item.square = item.value * item.value; }
NOINLINE static Item squared(const Item &item) { return {item.value, item.value * item.value}; }
static int sum_of(const QVector<Item> &items) {
  int sum = 0;
  for (const Item &item : items) sum += item.square;
  return sum;
}

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThreadPool::globalInstance()->setMaxThreadCount(4);
  for (int round = 0; round < 20; round++) {
    QVector<Item> items(1000);
    for (int i = 0; i < items.size(); i++) items[i].value = i % 10;
    QtConcurrent::blockingMap(items, square);
    if (sum_of(items) != 28500) abort();
    QFuture<void> mapped = QtConcurrent::map(items, square);
    mapped.waitForFinished();
    for (Item &item : items) item.square = 0;
    QFuture<Item> results = QtConcurrent::mapped(items, squared);
    int sum = 0;
    for (int i = 0; i < items.size(); i++) sum += results.resultAt(i).square;
    if (sum != 28500) abort();
  }
}
