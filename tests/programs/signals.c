// Signal handlers come as the program installed them.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t count, last;
static siginfo_t info;
static sigjmp_buf place;

static void plain(int number) { ++count, last = number; }
static void detailed(int number, siginfo_t *details, void *context) {
  (void)context;
  info = *details;
  ++count, last = number;
}
static void jump(int number) { siglongjmp(place, number); }
static int on_other_stack;
static char *other_stack;
static void where(int number) {
  char here;
  (void)number;
  on_other_stack = &here >= other_stack && &here < other_stack + SIGSTKSZ * 4;
}

int main(void) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);

  // Old handlers are told as they were.
  CHECK(signal(SIGUSR1, plain) == SIG_DFL);
  CHECK(signal(SIGUSR1, SIG_IGN) == plain);
  CHECK(raise(SIGUSR1) == 0 && count == 0);
  CHECK(signal(SIGUSR1, plain) == SIG_IGN);
  CHECK(sigaction(SIGUSR1, NULL, &old) == 0);
  CHECK(old.sa_handler == plain && old.sa_flags & SA_RESTART && !(old.sa_flags & SA_SIGINFO));
  raise(SIGUSR1);
  CHECK(count == 1 && last == SIGUSR1);
  CHECK(signal(-1, plain) == SIG_ERR && errno == EINVAL);
  CHECK(signal(SIGKILL, plain) == SIG_ERR && errno == EINVAL);

  // Details arrive.
  action.sa_sigaction = detailed;
  action.sa_flags = SA_SIGINFO;
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
  union sigval value = {.sival_int = 42};
  CHECK(sigqueue(getpid(), SIGUSR2, value) == 0);
  CHECK(count == 2 && info.si_value.sival_int == 42 && info.si_pid == getpid());
  CHECK(sigaction(SIGUSR2, NULL, &old) == 0);
  CHECK(old.sa_sigaction == detailed && old.sa_flags & SA_SIGINFO);

  // A handler for one time.
  action.sa_handler = plain;
  action.sa_flags = SA_RESETHAND;
  CHECK(sigaction(SIGURG, &action, NULL) == 0);
  raise(SIGURG);
  CHECK(count == 3);
  CHECK(sigaction(SIGURG, NULL, &old) == 0 && old.sa_handler == SIG_DFL);

  // Jumps out of handlers, of faults too.
  action.sa_handler = jump;
  action.sa_flags = SA_NODEFER;
  CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
  for (int i = 0; i < 3; ++i)
    if (sigsetjmp(place, 1) == 0) {
      *(volatile int *)8 = 1;
      CHECK(0);
    }

  // A stack of its own.
  other_stack = malloc(SIGSTKSZ * 4);
  stack_t stack = {.ss_sp = other_stack, .ss_size = SIGSTKSZ * 4};
  CHECK(sigaltstack(&stack, NULL) == 0);
  action.sa_handler = where;
  action.sa_flags = SA_ONSTACK;
  CHECK(sigaction(SIGWINCH, &action, NULL) == 0);
  raise(SIGWINCH);
  CHECK(on_other_stack);

  // A storm of them, in the middle of everything.
  struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  signal(SIGALRM, plain);
  count = 0;
  setitimer(ITIMER_REAL, &often, NULL);
  while (count < 500) free(malloc(64));
  setitimer(ITIMER_REAL, &never, NULL);
  sigset_t blocked;
  CHECK(sigprocmask(SIG_BLOCK, NULL, &blocked) == 0);
  CHECK(!sigismember(&blocked, SIGALRM));
  puts("ok");
  return 0;
}
