// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 sigaltstack (, #0 sched_setaffinity (, #0 pthread_setaffinity_np (, #0 pthread_getaffinity_np (, #0 pthread_getname_np (, #0 ptsname_r (, #0 tcgetattr (, #0 tcsetattr (, #0 statx (, #0 timer_gettime (
// reports: any
// tsan: skip, it does not know all of the functions
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "scenario.h"

// More of what the system answers.
static int terminal;
static timer_t timer;
stack_t a0;
stack_t a1;
cpu_set_t a2;
cpu_set_t a3;
cpu_set_t a4;
char a5[16];
char a6[64];
struct termios a7;
struct termios a8;
struct statx a9;
struct itimerspec a10;

NOINLINE static void writer(void) {
  CONSUME(a0.ss_sp); // here
  a1.ss_flags = SS_DISABLE; // here
  *(long *)&a2 = 0; // here
  *(long *)&a3 = 1; // here
  CONSUME(*(long *)&a4); // here
  CONSUME(a5[0]); // here
  CONSUME(a6[0]); // here
  CONSUME(a7.c_lflag); // here
  a8.c_lflag = 0; // here
  CONSUME(a9.stx_size); // here
  CONSUME(a10.it_value.tv_sec); // here
}
NOINLINE static void reader(void) {
  sigaltstack(NULL, &a0); // here
  sigaltstack(&a1, NULL); // here
  CONSUME(sched_setaffinity(-1, sizeof a2, &a2)); // here
  pthread_setaffinity_np(pthread_self(), sizeof a3, &a3); // here
  pthread_getaffinity_np(pthread_self(), sizeof a4, &a4); // here
  pthread_getname_np(pthread_self(), a5, 16); // here
  if (ptsname_r(terminal, a6, 64)) abort(); // here
  if (tcgetattr(terminal, &a7)) abort(); // here
  CONSUME(tcsetattr(-1, 0, &a8)); // here
  statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &a9); // here
  if (timer_gettime(timer, &a10)) abort(); // here
}

int main(void) {
  terminal = posix_openpt(O_RDWR | O_NOCTTY);
  timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &timer);
  run_accesses(run_two, writer, reader);
}
