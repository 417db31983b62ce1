// expect: none
// orders: first-second second-first
#include <string>

#include "scenario.h"

std::string text = "some text that does not fit into the object itself";

NOINLINE static void copy() {
  std::string own = text;
  own += "!";
  CONSUME(own.size());
}
NOINLINE static void copy_again() {
  std::string own = text + text;
  CONSUME(own.size());
}

int main() { run_ordered(copy, copy_again); }
