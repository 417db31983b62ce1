// expect: data race, data race
// names: 'job[3].state[1]' (long job::state), 'work::task.state[2]' (long job::state)
#include <thread>
#include <vector>

#include "scenario.h"

// A local of the function that calls the one which waits for the threads, and
// an element of a vector.
struct job {
  int id;
  long state[4];
};

template <int step> NOINLINE static void both(long &where) {
  std::thread first([&] {
    where = 1; // here
    take_step();
  });
  std::thread second([&] {
    wait_for_step(step);
    where = 2; // here
  });
  first.join();
  second.join();
}

NOINLINE static void work(std::vector<job> &jobs) {
  job task{};
  both<1>(task.state[2]);
  both<2>(jobs[3].state[1]);
  CONSUME(task.id);
}

int main() {
  std::vector<job> jobs(8);
  work(jobs);
}
