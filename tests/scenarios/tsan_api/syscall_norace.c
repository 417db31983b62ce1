// expect: none
// A program that makes its system calls itself says what they touch.
#define _GNU_SOURCE
#include "scenario.h"
#include "tsan_interface.h"

#include <sys/syscall.h>
#include <unistd.h>

static char buffer[16];
static int channel;
static int ends[2];

NOINLINE static void first(void) {
  __sanitizer_syscall_pre_impl_read(ends[0], (long)buffer, sizeof buffer);
  long got = syscall(SYS_read, ends[0], buffer, sizeof buffer);
  __sanitizer_syscall_post_impl_read(got, ends[0], (long)buffer, sizeof buffer);
  __tsan_release(&channel);
}
NOINLINE static void second(void) {
  __tsan_acquire(&channel);
  buffer[0] = 1;
}

int main(void) {
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
    return 3;
  run_two(first, second);
}
