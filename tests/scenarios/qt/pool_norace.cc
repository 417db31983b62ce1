// expect: none
// flags: -fPIC {pkg:Qt5Core}
// needs: QtCore
// tsan: false alarm, Qt is not instrumented
#include <QtCore>
#include <functional>

#include "scenario.h"

int input, ended;

struct Deleted : QRunnable {
  int *result;
  explicit Deleted(int *result) : result(result) {}
  void run() override { *result = input; }
  // The pool does it.
  ~Deleted() override { *result += 1; }
};

struct Base {
  virtual ~Base() = default;
  int value = 0;
};
// Has more functions and another table than the pool knows of.
struct Kept : Base, QRunnable {
  Kept() { setAutoDelete(false); }
  void run() override { further(); }
  virtual void further() { value += input; }
};

int main() {
  QThreadPool pool;
  pool.setMaxThreadCount(3);
  int results[20];
  Kept kept[4];
  for (int round = 0; round < 20; round++) {
    input = round;
    for (int &result : results) pool.start(new Deleted(&result));
    for (Kept &one : kept) pool.start(&one);
    int called = 0;
    pool.start([&called] { called = input; });
    if (!pool.waitForDone(-1)) abort();
    for (int result : results)
      if (result != round + 1) abort();
    if (called != round) abort();
  }
  int sum = 0;
  for (Kept &one : kept) {
    QRunnable *runnable = &one;
    if (dynamic_cast<Kept *>(runnable) != &one) abort();
    sum += one.value;
  }
  if (sum != 4 * 190) abort();

  // One that is in the queue twice, run by one thread after the other.
  pool.setMaxThreadCount(1);
  pool.setExpiryTimeout(0);
  Kept twice;
  input = 1;
  pool.start(&twice);
  pool.start(&twice);
  while (pool.activeThreadCount() != 0) QThread::yieldCurrentThread();
  if (twice.value != 2) abort();

  // Who destroys a pool waits for it.
  {
    QThreadPool local;
    local.start([] { ended = 1; });
  }
  if (ended != 1) abort();

  // Not started, and deleted by nobody but its owner.
  Kept never;
  QThreadPool full;
  full.setMaxThreadCount(1);
  full.start([] { wait_for_step(1); });
  if (full.tryStart(&never) || full.tryStart([] { abort(); })) abort();
  full.start(&never);
  if (!full.tryTake(&never)) abort();
  take_step();
  never.run();
}
