// expect: none
#include <thread>
#include <vector>

#include "scenario.h"

// As the twin, each thread with an element of its own.
struct job {
  int id;
  long state[4];
};

NOINLINE static void work(std::vector<job> &jobs) {
  job task{};
  std::thread first([&] {
    task.state[2] = 1;
    jobs[3].state[1] = 1;
    take_step();
  });
  std::thread second([&] {
    wait_for_step(1);
    task.state[3] = 2;
    jobs[3].state[2] = 2;
  });
  first.join();
  second.join();
}

int main() {
  std::vector<job> jobs(8);
  work(jobs);
}
