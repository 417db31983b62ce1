// expect: none
// also: c++
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "scenario.h"

// Who reads a signal comes after who sent it.
int payload;
int descriptor;
pthread_t receiver;

static void *receive(void *unused) {
  struct signalfd_siginfo info;
  if (read(descriptor, &info, sizeof info) != sizeof info) abort();
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
  descriptor = signalfd(-1, &set, 0);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_t sender;
  struct actor actor = {send_it, 0};
  pthread_create(&sender, NULL, act, &actor);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
}
