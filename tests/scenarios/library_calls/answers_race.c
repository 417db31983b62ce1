// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lm
// names: #0 clock_gettime (, #0 clock_getres (, #0 gettimeofday (, #0 time (, #0 timegm (, #0 strftime (, #0 strptime (, #0 getitimer (, #0 times (, #0 getrlimit (, #0 getrusage (, #0 uname (, #0 sysinfo (, #0 getcwd (, #0 gethostname (, #0 getrandom (, #0 getentropy (, #0 pthread_sigmask (, #0 sigprocmask (, #0 sched_getaffinity (, #0 rand_r (, #0 frexp (, #0 modf (
// reports: any
// tsan: skip, it does not know all of the functions
#include <sched.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <math.h>

#include "scenario.h"

// What the system answers.
struct timespec a0;
struct timespec a1;
struct timeval a2;
time_t a3;
struct tm a4;
char a5[32];
struct tm a6;
struct itimerval a7;
struct tms a8;
struct rlimit a9;
struct rusage a10;
struct utsname a11;
struct sysinfo a12;
char a13[4096];
char a14[256];
char a15[8];
char a16[8];
sigset_t a17;
sigset_t a18;
cpu_set_t a19;
unsigned a20;
int a21;
double a22;

NOINLINE static void writer(void) {
  CONSUME(a0.tv_sec); // here
  CONSUME(a1.tv_nsec); // here
  CONSUME(a2.tv_sec); // here
  CONSUME(a3); // here
  CONSUME(a4.tm_wday); // here
  CONSUME(a5[0]); // here
  CONSUME(a6.tm_year); // here
  CONSUME(a7.it_value.tv_sec); // here
  CONSUME(a8.tms_utime); // here
  CONSUME(a9.rlim_cur); // here
  CONSUME(a10.ru_maxrss); // here
  CONSUME(a11.sysname[0]); // here
  CONSUME(a12.uptime); // here
  CONSUME(a13[0]); // here
  CONSUME(a14[0]); // here
  CONSUME(a15[0]); // here
  CONSUME(a16[0]); // here
  CONSUME(*(long *)&a17); // here
  CONSUME(*(long *)&a18); // here
  CONSUME(*(long *)&a19); // here
  CONSUME(a20); // here
  CONSUME(a21); // here
  CONSUME(a22); // here
}
NOINLINE static void reader(void) {
  clock_gettime(CLOCK_REALTIME, &a0); // here
  clock_getres(CLOCK_REALTIME, &a1); // here
  gettimeofday(&a2, NULL); // here
  time(&a3); // here
  timegm(&a4); // here
  strftime(a5, 32, "%Y", &(struct tm){0}); // here
  strptime("2020", "%Y", &a6); // here
  getitimer(ITIMER_REAL, &a7); // here
  times(&a8); // here
  getrlimit(RLIMIT_NOFILE, &a9); // here
  getrusage(RUSAGE_SELF, &a10); // here
  uname(&a11); // here
  sysinfo(&a12); // here
  if (!getcwd(a13, 4096)) abort(); // here
  gethostname(a14, 256); // here
  if (getrandom(a15, 8, 0) != 8) abort(); // here
  if (getentropy(a16, 8)) abort(); // here
  pthread_sigmask(SIG_BLOCK, NULL, &a17); // here
  sigprocmask(SIG_BLOCK, NULL, &a18); // here
  sched_getaffinity(0, sizeof a19, &a19); // here
  rand_r(&a20); // here
  CONSUME(frexp(3.5, &a21)); // here
  CONSUME(modf(3.5, &a22)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
