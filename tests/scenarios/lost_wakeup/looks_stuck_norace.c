// expect: none
// also: c++
// orders: handler shared time asleep reading unknown
// timeout: 300
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scenario.h"

// Every thread that the detector knows waits without a time limit, or seems to,
// and still somebody comes: a signal handler that ends the process, another
// process, a thread that sleeps or reads, or one that nobody has heard of.
struct shared {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int ready;
};
static struct shared own = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void set(struct shared *shared) {
  pthread_mutex_lock(&shared->mutex);
  shared->ready = 1;
  pthread_cond_broadcast(&shared->condition);
  pthread_mutex_unlock(&shared->mutex);
}
static void wait_until_set(struct shared *shared) {
  pthread_mutex_lock(&shared->mutex);
  while (!shared->ready) pthread_cond_wait(&shared->condition, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
}
static void doze(void) {
  struct timespec time = {0, 600 * 1000 * 1000};
  nanosleep(&time, NULL);
}

static void on_alarm(int number) {
  (void)number;
  _exit(0);
}
static void handler(void) {
  signal(SIGALRM, on_alarm);
  alarm(1);
  wait_until_set(&own);
}

static void shared(void) {
  struct shared *page = (struct shared *)mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t mutexattr;
  pthread_condattr_t condattr;
  pthread_mutexattr_init(&mutexattr);
  pthread_mutexattr_setpshared(&mutexattr, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&page->mutex, &mutexattr);
  pthread_condattr_init(&condattr);
  pthread_condattr_setpshared(&condattr, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&page->condition, &condattr);
  pid_t child = fork();
  if (child == 0) {
    doze();
    set(page);
    _exit(0);
  }
  wait_until_set(page);
  waitpid(child, NULL, 0);
}

static void *timed_waiter(void *unused) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&condition, &mutex, &end) == 0);
  pthread_mutex_unlock(&mutex);
  set(&own);
  return unused;
}
static void *sleeper(void *unused) {
  doze();
  set(&own);
  return unused;
}
static int ends[2];
static void *reader(void *unused) {
  char byte;
  if (read(ends[0], &byte, 1) == 1) set(&own);
  return unused;
}
static void with(void *(*other)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  wait_until_set(&own);
  pthread_join(thread, NULL);
}

static void reading(void) {
  if (pipe(ends)) return;
  pid_t child = fork();
  if (child == 0) {
    doze();
    _exit(write(ends[1], "x", 1) != 1);
  }
  with(reader);
  waitpid(child, NULL, 0);
}

// A thread made by the kernel alone, without anything of libc's: it ends the
// process.
INVISIBLE static int stranger(void *unused) {
  (void)unused;
  long result, time[2] = {0, 600 * 1000 * 1000};
  __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_nanosleep), "D"(time), "S"(0L)
                   : "rcx", "r11", "memory");
  __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_exit_group), "D"(0L)
                   : "rcx", "r11", "memory");
  return 0;
}
static void unknown(void) {
  static char stack[65536] __attribute__((aligned(16)));
  clone(stranger, stack + sizeof stack,
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL);
  wait_until_set(&own);
}

int main(void) {
  if (ordered("handler")) handler();
  if (ordered("shared")) shared();
  if (ordered("time")) with(timed_waiter);
  if (ordered("asleep")) with(sleeper);
  if (ordered("reading")) reading();
  if (ordered("unknown")) unknown();
}
