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

struct Receiver : QObject {
  bool event(QEvent *event) override {
    if (event->type() != QEvent::User) return QObject::event(event);
    take_step();
    if (!ordered("receiver-first")) wait_for_step(2);
    change();
    take_step();
    // Has nothing posted before the other access.
    wait_for_step(3);
    return true;
  }
};

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThread thread;
  Receiver receiver;
  receiver.moveToThread(&thread);
  thread.start();
  QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
  wait_for_step(ordered("receiver-first") ? 2 : 1);
  change();
  take_step();
  wait_for_step(3);
  thread.quit();
  thread.wait();
}
