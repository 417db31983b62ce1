// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 nanosleep (, #0 clock_nanosleep (, #0 select (, #0 pselect (, #0 ppoll (, #0 epoll_pwait (
// reports: any
// tsan: skip, it does not know all of the functions
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "scenario.h"

// How long to wait, and what for.
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
  a0.tv_nsec = 0; // here
  a1.tv_nsec = 0; // here
  CONSUME(a2.tv_sec); // here
  a3.tv_nsec = 0; // here
  *(long *)&a4 = 0; // here
  a5.tv_nsec = 0; // here
  *(long *)&a6 = 0; // here
  *(long *)&a7 = 0; // here
}
NOINLINE static void reader(void) {
  nanosleep(&a0, NULL); // here
  clock_nanosleep(CLOCK_MONOTONIC, 0, &a1, NULL); // here
  select(0, NULL, NULL, NULL, &a2); // here
  pselect(0, NULL, NULL, NULL, &a3, NULL); // here
  pselect(0, NULL, NULL, NULL, &(struct timespec){0, 0}, &a4); // here
  ppoll(NULL, 0, &a5, NULL); // here
  ppoll(NULL, 0, &(struct timespec){0, 0}, &a6); // here
  epoll_pwait(set, &(struct epoll_event){0}, 1, 0, &a7); // here
}

int main(void) {
  set = epoll_create1(0);
  run_accesses(run_two, writer, reader);
}
