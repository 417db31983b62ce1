// expect: none
// flags: -std=c++17 -ltbb
// needs: oneapi/tbb/detail/_task.h
// tsan: false alarm, oneTBB is not instrumented
// A spawned task can still be asked for what its class can do, by code that is
// checked, as the library's own is if it was built with racert.
#include <oneapi/tbb/detail/_task.h>
#include <tbb/task_group.h>

#include "scenario.h"

namespace d1 = tbb::detail::d1;

static int shared;

struct Known : d1::task {
  d1::wait_context &waiting;
  int executed = 0, cancelled = 0;

  explicit Known(d1::wait_context &waiting) : waiting(waiting) {}
  virtual int number() { return 42; }
  d1::task *execute(d1::execution_data &) override {
    shared++;
    executed++;
    waiting.release();
    return nullptr;
  }
  d1::task *cancel(d1::execution_data &) override {
    cancelled++;
    waiting.release();
    return nullptr;
  }
};

int main() {
  tbb::task_group_context context;
  for (int round = 0; round < 100; round++) {
    d1::wait_context waiting(1);
    Known known(waiting);
    shared = round;
    d1::spawn(known, context);
    Known *volatile same = &known;
    if (same->number() != 42) abort();
    d1::wait(waiting, context);
    if (known.executed != 1 || shared != round + 1) abort();
  }
}
