// expect: none
#include <setjmp.h>

#include "scenario.h"

// Far more frames are left by jumping than any stack could hold.
static __thread jmp_buf target;

NOINLINE static void jump(int depth) {
  if (depth == 0) longjmp(target, 1);
  jump(depth - 1);
  CONSUME(depth);
}
NOINLINE static void first(void) {
  for (volatile int i = 0; i < 20000; ++i)
    if (setjmp(target) == 0) jump(20);
}
NOINLINE static void second(void) { first(); }

int main(void) { run_two(first, second); }
