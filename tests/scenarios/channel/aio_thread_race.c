// expect: data race
// names: payload
// tsan: skip, a thread of libc's is unknown to it
#include <aio.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario.h"

// The end of a request makes libc call a function on a thread of its own.
int payload;

static void written(union sigval value) {
  (void)value;
  wait_for_step(1);
  CONSUME(payload); // here
  take_step();
}

int main(void) {
  char name[] = "/tmp/racert-scenario-XXXXXX", text[] = "hi";
  struct aiocb request;
  memset(&request, 0, sizeof request);
  request.aio_fildes = mkstemp(name);
  if (request.aio_fildes < 0) abort();
  unlink(name);
  request.aio_buf = text;
  request.aio_nbytes = 2;
  request.aio_sigevent.sigev_notify = SIGEV_THREAD;
  request.aio_sigevent.sigev_notify_function = written;
  if (aio_write(&request)) abort();
  payload = 1; // here
  take_step();
  wait_for_step(2);
}
