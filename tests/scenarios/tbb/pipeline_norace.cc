// expect: none
// flags: -std=c++17 -ltbb
// needs: tbb/parallel_pipeline.h
// tsan: false alarm, oneTBB is not instrumented
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <string>

#include "scenario.h"

// Items are made and used up one at a time, by whichever thread; between that,
// two threads work on them at once.
static int made, used;

NOINLINE static void work(std::string *item) {
  item->append("work");
}

static void run() {
  made = used = 0;
  tbb::parallel_pipeline(
      4,
      tbb::make_filter<void, std::string *>(tbb::filter_mode::serial_in_order,
                                            [](tbb::flow_control &control) -> std::string * {
                                              if (made++ < 20) return new std::string("item");
                                              control.stop();
                                              return nullptr;
                                            }) &
          tbb::make_filter<std::string *, std::string *>(tbb::filter_mode::parallel,
                                                         [](std::string *item) {
                                                           work(item);
                                                           return item;
                                                         }) &
          tbb::make_filter<std::string *, void>(tbb::filter_mode::serial_in_order,
                                                [](std::string *item) {
                                                  used += item->size();
                                                  delete item;
                                                }));
  if (used != 160) abort();
}

int main() {
  tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  arena.execute(run);
  arena.execute(run);
}
