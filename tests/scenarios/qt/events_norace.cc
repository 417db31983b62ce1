// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

struct Message : QEvent {
  int *value;
  explicit Message(int *value) : QEvent(User), value(value) {}
};

int sum, moved, queued, timed, started, finished, deleted, blocked, leaving;

struct Receiver : QObject {
  bool event(QEvent *event) override {
    if (event->type() != QEvent::User) return QObject::event(event);
    sum += *static_cast<Message *>(event)->value;
    return true;
  }
  ~Receiver() override { deleted++; }
};

// Does something when its loop has ended.
struct Loop : QThread {
  void run() override {
    exec();
    CONSUME(leaving);
  }
};

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  Loop thread;
  QObject here;
  QObject::connect(&thread, &QThread::started, &here, [] { CONSUME(started); });
  QObject::connect(&thread, &QThread::finished, &here, [&] {
    CONSUME(finished);
    application.quit();
  });
  Receiver *receiver = new Receiver;
  // Of the library's own class.
  QObject plain;
  moved = 1;
  receiver->moveToThread(&thread);
  plain.moveToThread(&thread);
  QObject::connect(
      &thread, &QThread::started, receiver,
      [] {
        started = 1;
        CONSUME(moved);
      },
      Qt::DirectConnection);
  thread.start();

  int values[20];
  for (int i = 0; i < 20; i++) {
    values[i] = i;
    QCoreApplication::postEvent(receiver, new Message(&values[i]));
  }
  queued = 1;
  QMetaObject::invokeMethod(&plain, [] { queued++; }, Qt::QueuedConnection);
  timed = 1;
  QTimer::singleShot(0, &plain, [] { timed++; });
  for (int i = 0; i < 20; i++) {
    blocked++;
    QMetaObject::invokeMethod(&plain, [] { blocked++; }, Qt::BlockingQueuedConnection);
  }
  if (blocked != 40) abort();
  blocked = 0;
  QObject blocking;
  QObject::connect(
      &blocking, &QObject::objectNameChanged, receiver, [] { blocked++; },
      Qt::BlockingQueuedConnection);
  for (int i = 0; i < 20; i++) blocking.setObjectName(QString::number(i));
  if (blocked != 20) abort();
  deleted = 1;
  receiver->deleteLater();
  QMetaObject::invokeMethod(&plain, [] { finished = 1; }, Qt::QueuedConnection);
  // It has done all that before it is told to end.
  QMetaObject::invokeMethod(&plain, [] {}, Qt::BlockingQueuedConnection);
  leaving = 1;
  thread.quit();
  application.exec();
  thread.wait();
  if (sum != 190 || queued != 2 || timed != 2 || deleted != 2) abort();
}
