// expect: data race
// names: shared, after_jump
#include <setjmp.h>

#include "scenario.h"

// Frames left by longjmp must not show up in the stack of a later access.
int shared;
static __thread jmp_buf target;

NOINLINE static void jump(int depth) {
  if (depth == 0) longjmp(target, 1);
  jump(depth - 1);
  CONSUME(depth);
}
NOINLINE static void after_jump(void) {
  shared = 1; // here
}
NOINLINE static void first(void) {
  for (volatile int i = 0; i < 100; ++i)
    if (setjmp(target) == 0) jump(20);
  after_jump();
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) { run_two(first, second); }
