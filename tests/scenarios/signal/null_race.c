// expect: data race
// names: value
#include <setjmp.h>
#include <signal.h>

#include "scenario.h"

static __thread sigjmp_buf before;
static int *volatile pointer;
static int value;

static void handle(int signal) { siglongjmp(before, signal); }

NOINLINE static void look(void) {
  if (!sigsetjmp(before, 1))
    *pointer = 1;
  else
    value += 1; // here
}

int main(void) {
  signal(SIGSEGV, handle);
  run_two(look, look);
}
