// expect: data race
// names: payload
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

#include "scenario.h"

// A message in a queue of POSIX.
int payload;
mqd_t queue;

NOINLINE static void publish(void) {
  if (mq_send(queue, "hi", 2, 1)) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  char buffer[64];
  unsigned priority;
  if (mq_receive(queue, buffer, sizeof buffer, &priority) != 2) abort();
  CONSUME(payload); // here
}

int main(void) {
  struct mq_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.mq_maxmsg = 4;
  attributes.mq_msgsize = 64;
  char name[64];
  snprintf(name, sizeof name, "/racert-scenario-%d", (int)getpid());
  queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
  if (queue < 0) abort();
  mq_unlink(name);
  run_two(publish, use);
  mq_close(queue);
}
