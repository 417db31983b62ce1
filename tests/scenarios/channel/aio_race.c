// expect: data race
// names: payload
#include <aio.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario.h"

// One thread asks for something to be written, another hears that it was.
int payload;
struct aiocb request;
char text[] = "hi";

NOINLINE static void publish(void) {
  request.aio_buf = text;
  request.aio_nbytes = 2;
  if (aio_write(&request)) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  const struct aiocb *list[] = {&request};
  while (aio_suspend(list, 1, NULL)) continue;
  if (aio_error(&request) != 0 || aio_return(&request) != 2) abort();
  CONSUME(payload); // here
}

int main(void) {
  char name[] = "/tmp/racert-scenario-XXXXXX";
  request.aio_fildes = mkstemp(name);
  if (request.aio_fildes < 0) abort();
  unlink(name);
  request.aio_sigevent.sigev_notify = SIGEV_NONE;
  run_two(publish, use);
}
