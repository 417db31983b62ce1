// expect: data race
// flags: -std=c++20
// names: value
#include <future>

#include "scenario.h"

// The result of a task that another thread runs.
static std::packaged_task<int()> task([] { return 3; });
static std::future<int> result = task.get_future();
static int value;

NOINLINE static void publish() {
  task();
  value = 1; // here
}
NOINLINE static void use() {
  if (result.get() != 3) abort();
  CONSUME(value); // here
}

int main() {
  run_two(publish, use);
}
