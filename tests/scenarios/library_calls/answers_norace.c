// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lm
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
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0.tv_sec);
  CONSUME(a1.tv_nsec);
  CONSUME(a2.tv_sec);
  CONSUME(a3);
  CONSUME(a4.tm_wday);
  CONSUME(a5[0]);
  CONSUME(a6.tm_year);
  CONSUME(a7.it_value.tv_sec);
  CONSUME(a8.tms_utime);
  CONSUME(a9.rlim_cur);
  CONSUME(a10.ru_maxrss);
  CONSUME(a11.sysname[0]);
  CONSUME(a12.uptime);
  CONSUME(a13[0]);
  CONSUME(a14[0]);
  CONSUME(a15[0]);
  CONSUME(a16[0]);
  CONSUME(*(long *)&a17);
  CONSUME(*(long *)&a18);
  CONSUME(*(long *)&a19);
  CONSUME(a20);
  CONSUME(a21);
  CONSUME(a22);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  clock_gettime(CLOCK_REALTIME, &a0);
  clock_getres(CLOCK_REALTIME, &a1);
  gettimeofday(&a2, NULL);
  time(&a3);
  timegm(&a4);
  strftime(a5, 32, "%Y", &(struct tm){0});
  strptime("2020", "%Y", &a6);
  getitimer(ITIMER_REAL, &a7);
  times(&a8);
  getrlimit(RLIMIT_NOFILE, &a9);
  getrusage(RUSAGE_SELF, &a10);
  uname(&a11);
  sysinfo(&a12);
  if (!getcwd(a13, 4096)) abort();
  gethostname(a14, 256);
  if (getrandom(a15, 8, 0) != 8) abort();
  if (getentropy(a16, 8)) abort();
  pthread_sigmask(SIG_BLOCK, NULL, &a17);
  sigprocmask(SIG_BLOCK, NULL, &a18);
  sched_getaffinity(0, sizeof a19, &a19);
  rand_r(&a20);
  CONSUME(frexp(3.5, &a21));
  CONSUME(modf(3.5, &a22));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
