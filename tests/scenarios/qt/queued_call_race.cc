// expect: data race
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: skip, Qt is not instrumented
// names: value
// orders: receiver-first sender-first
#include <QtCore>

#include "scenario.h"

int value;

NOINLINE static void change() {
  value++; // here
}

static void call() {
  take_step();
  if (!ordered("receiver-first")) wait_for_step(2);
  change();
  take_step();
  // Has called nobody before the other access.
  wait_for_step(3);
}

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThread thread;
  QObject there;
  there.moveToThread(&thread);
  thread.start();
  QMetaObject::invokeMethod(&there, call, Qt::QueuedConnection);
  // The call is not waited for.
  wait_for_step(ordered("receiver-first") ? 2 : 1);
  change();
  take_step();
  wait_for_step(3);
  thread.quit();
  thread.wait();
}
