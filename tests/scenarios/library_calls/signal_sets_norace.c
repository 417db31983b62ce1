// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <signal.h>

#include "scenario.h"

// Sets of signals.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sigset_t a0;
sigset_t a1;
sigset_t a2;
sigset_t a3;
sigset_t a4;
sigset_t a5;
sigset_t a6;
sigset_t a7;
sigset_t a8;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(*(long *)&a0);
  CONSUME(*(long *)&a1);
  CONSUME(*(long *)&a2);
  CONSUME(*(long *)&a3);
  *(long *)&a4 = 1;
  *(long *)&a5 = 1;
  CONSUME(*(long *)&a6);
  *(long *)&a7 = 1;
  CONSUME(*(long *)&a8);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  sigemptyset(&a0);
  sigfillset(&a1);
  sigaddset(&a2, SIGUSR1);
  sigdelset(&a3, SIGUSR1);
  CONSUME(sigismember(&a4, SIGUSR1));
  CONSUME(sigisemptyset(&a5));
  sigandset(&a6, &(sigset_t){{0}}, &(sigset_t){{0}});
  sigorset(&(sigset_t){{0}}, &a7, &(sigset_t){{0}});
  sigpending(&a8);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
