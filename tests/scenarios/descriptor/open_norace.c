// expect: none
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scenario.h"

// A descriptor that comes from a call nobody saw has no history.
int number;

NOINLINE static void first(void) {
  close(number);
  if (syscall(SYS_open, "/dev/null", O_RDONLY) != number) abort();
}
NOINLINE static void second(void) {
  char byte;
  if (read(number, &byte, 1) != 0) abort();
}

int main(void) {
  number = open("/dev/null", O_RDONLY);
  run_two(first, second);
}
