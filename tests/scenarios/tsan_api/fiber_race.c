// expect: data race
// names: shared, fiber
// also: c++
// A switch that is said not to order anything does not.
#include <ucontext.h>

#include "scenario.h"
#include "tsan_interface.h"

static char stack[256 << 10];
static ucontext_t main_context, fiber_context;
static void *main_fiber, *fiber;
int shared;

NOINLINE static void deeper(int levels) {
  shared = levels; // here
  if (levels) {
    deeper(levels - 1);
    return;
  }
  __tsan_switch_to_fiber(main_fiber, 0);
  swapcontext(&fiber_context, &main_context);
}
NOINLINE static void fiber_main(void) {
  for (;;) deeper(3);
}
NOINLINE static void run_fiber(void) {
  __tsan_switch_to_fiber(fiber, FIBER_NO_SYNC);
  swapcontext(&main_context, &fiber_context);
}

NOINLINE static void first(void) {
  main_fiber = __tsan_get_current_fiber();
  fiber = __tsan_create_fiber(0);
  __tsan_set_fiber_name(fiber, "fiber");
  getcontext(&fiber_context);
  fiber_context.uc_stack.ss_sp = stack;
  fiber_context.uc_stack.ss_size = sizeof stack;
  makecontext(&fiber_context, fiber_main, 0);
  for (int i = 0; i < 1; ++i) {
    shared = i; // here
    run_fiber();
  }
  __tsan_destroy_fiber(fiber);
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
