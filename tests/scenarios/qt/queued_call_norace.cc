// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

int value;

NOINLINE static void change() { value++; }

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThread thread;
  QObject there, here;
  there.moveToThread(&thread);
  thread.start();
  for (int i = 0; i < 20; i++) {
    change();
    // There and back.
    QMetaObject::invokeMethod(
        &there,
        [&] {
          change();
          QMetaObject::invokeMethod(&here, [&] { application.quit(); }, Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
    application.exec();
  }
  thread.quit();
  thread.wait();
  if (value != 40) abort();
}
