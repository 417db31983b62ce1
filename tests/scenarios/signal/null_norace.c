// expect: none
// Programs that catch the signal of a null pointer have not touched anything.
#include <setjmp.h>
#include <signal.h>

#include "scenario.h"

static __thread sigjmp_buf before;
static int *volatile pointer;

static void handle(int signal) { siglongjmp(before, signal); }

NOINLINE static void look(void) {
  if (!sigsetjmp(before, 1)) *pointer = 1;
}

int main(void) {
  signal(SIGSEGV, handle);
  run_two(look, look);
}
