// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "scenario.h"

// More of what the system answers.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0.ss_sp);
  a1.ss_flags = SS_DISABLE;
  *(long *)&a2 = 0;
  *(long *)&a3 = 1;
  CONSUME(*(long *)&a4);
  CONSUME(a5[0]);
  CONSUME(a6[0]);
  CONSUME(a7.c_lflag);
  a8.c_lflag = 0;
  CONSUME(a9.stx_size);
  CONSUME(a10.it_value.tv_sec);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  sigaltstack(NULL, &a0);
  sigaltstack(&a1, NULL);
  CONSUME(sched_setaffinity(-1, sizeof a2, &a2));
  pthread_setaffinity_np(pthread_self(), sizeof a3, &a3);
  pthread_getaffinity_np(pthread_self(), sizeof a4, &a4);
  pthread_getname_np(pthread_self(), a5, 16);
  if (ptsname_r(terminal, a6, 64)) abort();
  if (tcgetattr(terminal, &a7)) abort();
  CONSUME(tcsetattr(-1, 0, &a8));
  statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &a9);
  if (timer_gettime(timer, &a10)) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  terminal = posix_openpt(O_RDWR | O_NOCTTY);
  timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &timer);
  run_accesses(run_two, writer, reader);
}
