// expect: data race
// names: value
// Who goes on without a mutex that nobody has recovered does not hold it.
#include <errno.h>

#include "scenario.h"

static pthread_mutex_t mutex;
static int value;

NOINLINE static void die(void) {
  pthread_mutex_lock(&mutex);
}
NOINLINE static void give_up(void) {
  if (pthread_mutex_lock(&mutex) != EOWNERDEAD) abort();
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void go_on(void) {
  if (pthread_mutex_lock(&mutex) != ENOTRECOVERABLE) abort();
  value += 1; // here
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  run_joined(die, give_up);
  invisible_step = 0;
  run_two(go_on, go_on);
  if (pthread_mutex_destroy(&mutex)) abort();
}
