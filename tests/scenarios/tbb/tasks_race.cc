// expect: data race
// flags: -std=c++17 -ltbb
// needs: tbb/parallel_for.h
// names: counter
// reports: any
#include <tbb/task_group.h>

#include "scenario.h"

// The one who spawned the task does not wait for it.
int counter;

int main() {
  tbb::task_group group;
  group.run([] {
    counter++; // here
    take_step();
  });
  wait_for_step(1);
  counter++; // here
  group.wait();
}
