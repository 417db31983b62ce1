// expect: none
// tsan: false alarm, it does not know the functions
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "scenario.h"

// A lock on a file that each thread has opened for itself.
int payload;
int files[2];

NOINLINE static void publish(void) {
  payload = 42;
  if (flock(files[0], LOCK_UN)) abort();
}
NOINLINE static void use(void) {
  if (flock(files[1], LOCK_EX)) abort();
  CONSUME(payload);
}

int main(void) {
  char name[] = "/tmp/racert-scenario-XXXXXX";
  files[0] = mkstemp(name);
  files[1] = open(name, O_RDWR);
  if (files[0] < 0 || files[1] < 0) abort();
  unlink(name);
  if (flock(files[0], LOCK_EX)) abort();
  run_two(publish, use);
}
