// expect: data race
// also: c++
// names: payload
#include <fcntl.h>
#include <unistd.h>

#include "scenario.h"

// The payload is written after the message was sent.
int writer, reader;
int payload;

NOINLINE static void sender(void) {
  if (pwrite(writer, "m", 1, 0) != 1) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char message;
  if (pread(reader, &message, 1, 0) != 1) abort();
  CONSUME(payload); // here
}

int main(void) {
  char path[] = "/tmp/racert-scenario-XXXXXX";
  writer = mkstemp(path);
  reader = open(path, O_RDONLY);
  unlink(path);
  run_two(sender, receiver);
}
