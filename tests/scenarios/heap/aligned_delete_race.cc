// expect: data race with free
// flags: -std=c++17
#include <new>

#include "scenario.h"

// An object of a type with a larger alignment than usual, deleted while in use.
struct alignas(64) Wide {
  int value;
};
Wide *wide;

NOINLINE static void user() {
  wide->value = 1; // here
}
NOINLINE static void owner() {
  delete wide; // here
}

int main() {
  wide = new Wide;
  run_two(user, owner);
}
