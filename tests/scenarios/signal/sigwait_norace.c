// expect: none
// also: c++
#include <signal.h>

#include "scenario.h"

// Who waits for a signal comes after who sent it.
int payload;
pthread_t receiver;

static void *receive(void *unused) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (sigwait(&set, &number) || number != SIGUSR1) abort();
  wait_for_step(1);
  CONSUME(payload);
  return unused;
}

NOINLINE static void send_it(void) {
  payload = 1;
  pthread_kill(receiver, SIGUSR1);
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_t sender;
  struct actor actor = {send_it, 0};
  pthread_create(&sender, NULL, act, &actor);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
}
