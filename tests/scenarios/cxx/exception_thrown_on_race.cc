// expect: data race
#include <exception>

#include "scenario.h"

struct Trouble {
  int times = 0;
};

std::exception_ptr shared;

NOINLINE static void handle() {
  try {
    std::rethrow_exception(shared);
  } catch (Trouble &trouble) {
    trouble.times += 1; // here
  }
}

int main() {
  try {
    throw Trouble();
  } catch (...) {
    shared = std::current_exception();
  }
  run_two(handle, handle);
}
