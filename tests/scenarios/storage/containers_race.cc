// expect: data race, data race
// names: 'job[3].state[1]' (long job::state), 'work::task.state[2]', work::task
#include <thread>
#include <vector>

#include "scenario.h"

// An element of a vector, and a local of a function that is blocked in the
// standard library's join.
struct job {
  int id;
  long state[4];
};

NOINLINE static void set(long *where) {
  *where = 1; // here
}

NOINLINE static void both(long *where, int step) {
  std::thread first([=] {
    set(where);
    take_step();
  });
  std::thread second([=] {
    wait_for_step(step);
    *where = 2;
  });
  first.join();
  second.join();
}

NOINLINE static void work(std::vector<job> &jobs) {
  job task{};
  std::thread first([&] {
    task.state[2] = 1; // here
    take_step();
  });
  std::thread second([&] {
    wait_for_step(1);
    task.state[2] = 2; // here
  });
  first.join();
  second.join();
  both(&jobs[3].state[1], 2);
}

int main() {
  std::vector<job> jobs(8);
  work(jobs);
}
