// expect: data race
// also: c++
// names: table
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// The entry is changed after its number was given up.
int table[64];
int number;

NOINLINE static void leave(void) {
  int mine = number;
  close(mine);
  table[mine] = 1; // here
}
NOINLINE static void enter(void) {
  int mine = open("/dev/null", O_RDONLY);
  if (mine >= 64) abort();
  table[mine] = 2; // here
}

int main(void) {
  number = open("/dev/null", O_RDONLY);
  run_two(leave, enter);
}
