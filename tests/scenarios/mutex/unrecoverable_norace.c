// expect: none
// A mutex that nobody has recovered is refused to everybody, and can be
// destroyed.
#include <errno.h>

#include "scenario.h"

static pthread_mutex_t mutex;
static int value;

NOINLINE static void die(void) {
  pthread_mutex_lock(&mutex);
  value = 1;
}
NOINLINE static void give_up(void) {
  if (pthread_mutex_lock(&mutex) != EOWNERDEAD) abort();
  value += 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void find_out(void) {
  if (pthread_mutex_lock(&mutex) != ENOTRECOVERABLE) abort();
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  run_joined(die, give_up);
  invisible_step = 0;
  run_two(find_out, find_out);
  // glibc leaves the number of who tries in it.
  if (pthread_mutex_trylock(&mutex) != ENOTRECOVERABLE) abort();
  if (pthread_mutex_destroy(&mutex)) abort();
}
