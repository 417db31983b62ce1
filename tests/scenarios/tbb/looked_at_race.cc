// expect: data race
// flags: -std=c++17 -ltbb
// needs: oneapi/tbb/detail/_task.h
// names: shared
// reports: any
// As its twin, but whoever spawned the task goes on using what it uses.
#include <oneapi/tbb/detail/_task.h>
#include <tbb/task_group.h>

#include "scenario.h"

namespace d1 = tbb::detail::d1;

int shared;

struct Known : d1::task {
  d1::wait_context &waiting;

  explicit Known(d1::wait_context &waiting) : waiting(waiting) {}
  virtual int number() { return 42; }
  d1::task *execute(d1::execution_data &) override {
    shared++; // here
    take_step();
    waiting.release();
    return nullptr;
  }
  d1::task *cancel(d1::execution_data &) override {
    waiting.release();
    return nullptr;
  }
};

int main() {
  tbb::task_group_context context;
  d1::wait_context waiting(1);
  Known known(waiting);
  d1::spawn(known, context);
  Known *volatile same = &known;
  if (same->number() != 42) abort();
  wait_for_step(1);
  shared++; // here
  d1::wait(waiting, context);
}
