// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>

#include "scenario.h"

QMutex mutex;
QWaitCondition condition;
QSemaphore semaphore;
QReadWriteLock lock;
int ready, data, count, shared;

struct Worker : QThread {
  int result = 0;
  void run() override {
    for (int i = 0; i < 200; i++) {
      QMutexLocker locker(&mutex);
      count++;
    }
    mutex.lock();
    data = 3;
    ready++;
    condition.wakeAll();
    mutex.unlock();
    {
      QWriteLocker locker(&lock);
      shared++;
    }
    semaphore.release();
    result = 1;
  }
};

int main() {
  Worker one, two;
  one.start();
  two.start();
  mutex.lock();
  while (ready < 2) condition.wait(&mutex);
  CONSUME(data);
  mutex.unlock();
  semaphore.acquire(2);
  {
    QReadLocker locker(&lock);
    CONSUME(shared);
  }
  one.wait();
  two.wait();
  if (one.result + two.result != 2 || count != 400) abort();
}
