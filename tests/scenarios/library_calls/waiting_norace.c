// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "scenario.h"

// How long to wait, and what for.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int set;
struct timespec a0;
struct timespec a1;
struct timeval a2;
struct timespec a3;
sigset_t a4;
struct timespec a5;
sigset_t a6;
sigset_t a7;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0.tv_nsec = 0;
  a1.tv_nsec = 0;
  CONSUME(a2.tv_sec);
  a3.tv_nsec = 0;
  *(long *)&a4 = 0;
  a5.tv_nsec = 0;
  *(long *)&a6 = 0;
  *(long *)&a7 = 0;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  nanosleep(&a0, NULL);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &a1, NULL);
  select(0, NULL, NULL, NULL, &a2);
  pselect(0, NULL, NULL, NULL, &a3, NULL);
  pselect(0, NULL, NULL, NULL, &(struct timespec){0, 0}, &a4);
  ppoll(NULL, 0, &a5, NULL);
  ppoll(NULL, 0, &(struct timespec){0, 0}, &a6);
  epoll_pwait(set, &(struct epoll_event){0}, 1, 0, &a7);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  set = epoll_create1(0);
  run_accesses(run_two, writer, reader);
}
