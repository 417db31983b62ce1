// expect: none
#include <unistd.h>

#include "scenario.h"

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  close(2);
  run_joined(first, second);
}
