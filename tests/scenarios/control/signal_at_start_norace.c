// expect: none
// timeout: 300
// Signals arrive while threads begin and end, before they have anything of
// their own; the handler is instrumented like all code.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>

static atomic_int arrived;

static void handler(int signal) {
  (void)signal;
  atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
}

static void *nothing(void *argument) { return argument; }

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct itimerval often = {{0, 10}, {0, 10}};
  if (sigaction(SIGPROF, &action, NULL) != 0 || setitimer(ITIMER_PROF, &often, NULL) != 0)
    return 3;
  for (int i = 0; i < 2000; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0)
      return 4;
    pthread_join(thread, NULL);
  }
  return atomic_load(&arrived) >= 0 ? 0 : 5;
}
