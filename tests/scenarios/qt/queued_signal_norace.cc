// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

int value, total;

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  QThread thread;
  QObject sender, there, here;
  there.moveToThread(&thread);
  // The text is shared, and forgotten by either thread last.
  QObject::connect(&sender, &QObject::objectNameChanged, &there, [&](const QString &text) {
    total += text.size() + value;
    there.setObjectName(text + text);
  });
  QObject::connect(&there, &QObject::objectNameChanged, &here, [&](const QString &text) {
    total += text.size();
    application.quit();
  });
  thread.start();
  for (int i = 100; i < 150; i++) {
    value++;
    QString text = QString::number(i);
    sender.setObjectName(text);
    text = QString();
    application.exec();
  }
  thread.quit();
  thread.wait();
  if (total != 50 * 9 + 1275) abort();
}
