// expect: data race
// names: shared
#include <thread>

#include "scenario.h"

int shared;

int main() {
  std::thread writer([] { // here
    shared = 1; // here
    take_step();
  });
  wait_for_step(1);
  shared = 2; // here
  writer.join();
}
