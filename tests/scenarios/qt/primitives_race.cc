// expect: data race
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// names: count
// orders: first-second second-first
#include <QtCore>

#include "scenario.h"

// Two locks for one variable.
QMutex one, two;
int count;

NOINLINE static void first() {
  QMutexLocker locker(&one);
  count++; // here
}
NOINLINE static void second() {
  QMutexLocker locker(&two);
  count++; // here
}

int main() { run_ordered(first, second); }
