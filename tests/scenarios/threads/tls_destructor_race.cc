// expect: data race
// names: shared
// What destructors of thread-local variables do comes before the join.
#include <thread>

#include "scenario.h"

int shared;

struct Last {
  ~Last() {
    shared = 1; // here
    take_step();
  }
};

NOINLINE static void use() {
  thread_local Last last;
  CONSUME(&last);
}

int main() {
  std::thread thread(use);
  wait_for_step(1);
  shared = 2; // here
  thread.join();
}
