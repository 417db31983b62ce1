// expect: data race
// names: payload
#include <sys/ipc.h>
#include <sys/msg.h>

#include "scenario.h"

// A message in a queue of System V.
int payload;
int queue;
struct message {
  long type;
  char text[8];
};

NOINLINE static void publish(void) {
  struct message message = {1, "hi"};
  if (msgsnd(queue, &message, sizeof message.text, 0)) abort();
  payload = 42; // here
}
NOINLINE static void use(void) {
  struct message message;
  if (msgrcv(queue, &message, sizeof message.text, 0, 0) != sizeof message.text) abort();
  CONSUME(payload); // here
}

int main(void) {
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  if (queue < 0) abort();
  run_two(publish, use);
  msgctl(queue, IPC_RMID, NULL);
}
