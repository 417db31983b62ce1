// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 sigemptyset (, #0 sigfillset (, #0 sigaddset (, #0 sigdelset (, #0 sigismember (, #0 sigisemptyset (, #0 sigandset (, #0 sigorset (, #0 sigpending (
// reports: any
// tsan: skip, it does not know all of the functions
#include <signal.h>

#include "scenario.h"

// Sets of signals.
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
  CONSUME(*(long *)&a0); // here
  CONSUME(*(long *)&a1); // here
  CONSUME(*(long *)&a2); // here
  CONSUME(*(long *)&a3); // here
  *(long *)&a4 = 1; // here
  *(long *)&a5 = 1; // here
  CONSUME(*(long *)&a6); // here
  *(long *)&a7 = 1; // here
  CONSUME(*(long *)&a8); // here
}
NOINLINE static void reader(void) {
  sigemptyset(&a0); // here
  sigfillset(&a1); // here
  sigaddset(&a2, SIGUSR1); // here
  sigdelset(&a3, SIGUSR1); // here
  CONSUME(sigismember(&a4, SIGUSR1)); // here
  CONSUME(sigisemptyset(&a5)); // here
  sigandset(&a6, &(sigset_t){{0}}, &(sigset_t){{0}}); // here
  sigorset(&(sigset_t){{0}}, &a7, &(sigset_t){{0}}); // here
  sigpending(&a8); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
