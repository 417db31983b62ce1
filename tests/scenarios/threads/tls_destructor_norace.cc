// expect: none
// What destructors of thread-local variables do comes before the join.
#include <thread>

#include "scenario.h"

int shared;

struct Last {
  ~Last() {
    shared = 1;
    take_step();
  }
};

NOINLINE static void use() {
  thread_local Last last;
  CONSUME(&last);
}

int main() {
  std::thread thread(use);
  thread.join();
  shared = 2;
}
