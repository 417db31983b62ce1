// expect: data race
// names: payload
// tsan: skip, a thread of libc's is unknown to it
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "scenario.h"

// A message makes libc call a function on a thread of its own.
int payload;

static void arrived(union sigval value) {
  (void)value;
  wait_for_step(1);
  CONSUME(payload); // here
  take_step();
}

int main(void) {
  struct mq_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.mq_maxmsg = 4;
  attributes.mq_msgsize = 64;
  char name[64];
  snprintf(name, sizeof name, "/racert-scenario-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
  if (queue < 0) abort();
  mq_unlink(name);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = arrived;
  if (mq_notify(queue, &event)) abort();
  payload = 1; // here
  if (mq_send(queue, "hi", 2, 1)) abort();
  take_step();
  wait_for_step(2);
}
