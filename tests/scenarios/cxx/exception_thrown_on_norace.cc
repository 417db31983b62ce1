// expect: none
// orders: first-second second-first
// Who leaves the last handler of an exception destroys it, after the others.
#include <exception>
#include <string>

#include "scenario.h"

struct Trouble {
  std::string what = "a text that is too long to be kept in the string itself";
  ~Trouble() { what.clear(); }
};

std::exception_ptr mine[2];

NOINLINE static void handle(int index) {
  try {
    std::rethrow_exception(std::move(mine[index]));
  } catch (Trouble &trouble) {
    CONSUME(trouble.what.size());
  }
}
NOINLINE static void first() { handle(0); }
NOINLINE static void second() { handle(1); }

int main() {
  try {
    throw Trouble();
  } catch (...) {
    mine[0] = mine[1] = std::current_exception();
  }
  run_ordered(first, second);
}
