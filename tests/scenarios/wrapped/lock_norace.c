// expect: none
// orders: first-second second-first
// flags: -D_GNU_SOURCE
// The program stands in front of the functions of locks itself, to count.
#include <dlfcn.h>

#include "scenario.h"

typedef int lock_function(pthread_mutex_t *);

static lock_function *next_lock, *next_unlock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;
int shared;

int pthread_mutex_lock(pthread_mutex_t *lock) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  return next_lock(lock);
}

int pthread_mutex_unlock(pthread_mutex_t *lock) { return next_unlock(lock); }

NOINLINE static void first(void) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  next_lock = (lock_function *)dlsym(RTLD_NEXT, "pthread_mutex_lock");
  next_unlock = (lock_function *)dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  run_ordered(first, second);
  return calls == 0;
}
