// expect: none
// also: c++
// One thread, two fibers, and a switch that orders what came before it.
#include <ucontext.h>

#include "scenario.h"
#include "tsan_interface.h"

static char stack[256 << 10];
static ucontext_t main_context, fiber_context;
static void *main_fiber, *fiber;
int shared;

NOINLINE static void deeper(int levels) {
  ++shared;
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
  __tsan_switch_to_fiber(fiber, 0);
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
  for (int i = 0; i < 10; ++i) {
    shared = i;
    run_fiber();
  }
  __tsan_destroy_fiber(fiber);
}
NOINLINE static void second(void) {}

int main(void) { run_two(first, second); }
