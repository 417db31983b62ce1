// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "scenario.h"

// Descriptions of handlers, signals to wait for, timers.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct sigaction a0;
struct sigaction a1;
struct itimerval a2;
struct itimerval a3;
sigset_t a4;
struct timespec a5;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0.sa_handler = SIG_IGN;
  CONSUME(a1.sa_flags);
  a2.it_value.tv_sec = 0;
  CONSUME(a3.it_value.tv_sec);
  *(long *)&a4 = 0;
  a5.tv_nsec = 0;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  sigaction(SIGUSR2, &a0, NULL);
  sigaction(SIGUSR2, NULL, &a1);
  setitimer(ITIMER_VIRTUAL, &a2, NULL);
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {0, 0}}, &a3);
  sigtimedwait(&a4, NULL, &(struct timespec){0, 0});
  sigtimedwait(&(sigset_t){{0}}, NULL, &a5);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
