// expect: data race
// names: shared
// also: c++
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "scenario.h"

// A thread makes and changes contexts all the time while the process forks
// over and over: each child can do the same, and its threads are still checked.
static int over;
int shared;

struct fiber {
  ucontext_t outside, inside;
  char stack[64 << 10];
};

NOINLINE static void nothing(void) {}

NOINLINE static void change_contexts(struct fiber *fiber) {
  getcontext(&fiber->inside);
  fiber->inside.uc_stack.ss_sp = fiber->stack;
  fiber->inside.uc_stack.ss_size = sizeof fiber->stack;
  fiber->inside.uc_link = &fiber->outside;
  makecontext(&fiber->inside, nothing, 0);
  swapcontext(&fiber->outside, &fiber->inside);
}

static void *keep_changing(void *fiber) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) change_contexts((struct fiber *)fiber);
  return NULL;
}

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) {
  static struct fiber fibers[2];
  pthread_t thread;
  int failures = 0;
  pthread_create(&thread, NULL, keep_changing, &fibers[0]);
  for (int round = 0; round < 100; ++round) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      change_contexts(&fibers[1]);
      if (round == 99) run_two(first, second);
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) failures = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  return failures;
}
