// expect: none
// also: c++
#include <ucontext.h>

#include "scenario.h"

// Each thread changes contexts.
int counter;

struct fiber {
  ucontext_t outside, inside;
  char stack[256 << 10];
};

NOINLINE static void yield(struct fiber *fiber) { swapcontext(&fiber->inside, &fiber->outside); }

NOINLINE static void deep_in_a_context(struct fiber *fiber) {
  yield(fiber);
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  yield(fiber);
}

NOINLINE static void outer_in_a_context(unsigned low, unsigned high) {
  deep_in_a_context((struct fiber *)((unsigned long)low | (unsigned long)high << 32));
}

NOINLINE static void change(struct fiber *fiber) { swapcontext(&fiber->outside, &fiber->inside); }

NOINLINE static void run(void) {
  struct fiber *fiber = (struct fiber *)malloc(sizeof *fiber);
  getcontext(&fiber->inside);
  fiber->inside.uc_stack.ss_sp = fiber->stack;
  fiber->inside.uc_stack.ss_size = sizeof fiber->stack;
  fiber->inside.uc_link = &fiber->outside;
  unsigned long address = (unsigned long)fiber;
  makecontext(&fiber->inside, (void (*)(void))outer_in_a_context, 2, (unsigned)address,
              (unsigned)(address >> 32));
  change(fiber);
  change(fiber);
  change(fiber);
  free(fiber);
}

int main(void) { run_two(run, run); }
