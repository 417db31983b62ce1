// expect: none
// flags: -std=c++17
#include <new>

#include "scenario.h"

// An object of a type with a larger alignment than usual.
struct alignas(64) Wide {
  int value;
};
Wide *wide;

NOINLINE static void user() {
  wide->value = 1;
}
NOINLINE static void owner() {
  delete wide;
}

int main() {
  wide = new Wide;
  run_joined(user, owner);
}
