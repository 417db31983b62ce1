// expect: none
// also: c++
#include <signal.h>

#include "scenario.h"

// The handler of a thread comes after who sent it the signal.
int payload;
pthread_t receiver;
volatile sig_atomic_t seen;

static void handle(int number) { seen = number; }

static void *receive(void *unused) {
  while (!seen) wait_for_step(0);
  wait_for_step(1);
  CONSUME(payload);
  return unused;
}

NOINLINE static void send_it(void) {
  payload = 1;
  pthread_kill(receiver, SIGUSR1);
}

int main(void) {
  signal(SIGUSR1, handle);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_t sender;
  struct actor actor = {send_it, 0};
  pthread_create(&sender, NULL, act, &actor);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
}
