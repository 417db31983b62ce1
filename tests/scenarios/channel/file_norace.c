// expect: none
// also: c++
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// A file that is open twice.
int writer, reader;
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  if (pwrite(writer, "m", 1, 0) != 1) abort();
}
NOINLINE static void receiver(void) {
  char message;
  if (pread(reader, &message, 1, 0) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  char path[] = "/tmp/racert-scenario-XXXXXX";
  writer = mkstemp(path);
  reader = open(path, O_RDONLY);
  unlink(path);
  run_two(sender, receiver);
}
