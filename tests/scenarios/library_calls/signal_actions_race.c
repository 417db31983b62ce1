// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 sigaction (, #0 setitimer (, #0 sigtimedwait (
// reports: any
// tsan: skip, it does not know all of the functions
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "scenario.h"

// Descriptions of handlers, signals to wait for, timers.
struct sigaction a0;
struct sigaction a1;
struct itimerval a2;
struct itimerval a3;
sigset_t a4;
struct timespec a5;

NOINLINE static void writer(void) {
  a0.sa_handler = SIG_IGN; // here
  CONSUME(a1.sa_flags); // here
  a2.it_value.tv_sec = 0; // here
  CONSUME(a3.it_value.tv_sec); // here
  *(long *)&a4 = 0; // here
  a5.tv_nsec = 0; // here
}
NOINLINE static void reader(void) {
  sigaction(SIGUSR2, &a0, NULL); // here
  sigaction(SIGUSR2, NULL, &a1); // here
  setitimer(ITIMER_VIRTUAL, &a2, NULL); // here
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {0, 0}}, &a3); // here
  sigtimedwait(&a4, NULL, &(struct timespec){0, 0}); // here
  sigtimedwait(&(sigset_t){{0}}, NULL, &a5); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
