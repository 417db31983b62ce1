// expect: data race
// also: c++
// names: payload
#include <fcntl.h>
#include <unistd.h>
#include <sys/uio.h>

#include "scenario.h"

// The payload is written after the message was sent.
int ends[2];
int payload;

NOINLINE static void sender(void) {
  char text[2] = {'a', 'b'};
  struct iovec parts[2] = {{text, 1}, {text + 1, 1}};
  if (writev(ends[1], parts, 2) != 2) abort();
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  char text[2];
  struct iovec parts[2] = {{text, 1}, {text + 1, 1}};
  if (readv(ends[0], parts, 2) != 2) abort();
  CONSUME(payload); // here
}

int main(void) {
  if (pipe2(ends, O_CLOEXEC)) return 1;
  run_two(sender, receiver);
}
