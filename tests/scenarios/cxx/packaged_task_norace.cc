// expect: none
// flags: -std=c++20
#include <future>

#include "scenario.h"

// The result of a task that another thread runs.
static std::packaged_task<int()> task([] { return 3; });
static std::future<int> result = task.get_future();
static int value;

NOINLINE static void publish() {
  value = 1;
  task();
}
NOINLINE static void use() {
  if (result.get() != 3) abort();
  CONSUME(value);
}

int main() {
  run_two(publish, use);
}
