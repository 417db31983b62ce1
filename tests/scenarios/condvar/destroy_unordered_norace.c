// expect: none
// Signalled with the mutex held, destroyed by who took the mutex afterwards.
#include "scenario.h"

static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void first(void) {
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
}
NOINLINE static void second(void) {
  pthread_mutex_lock(&lock);
  pthread_cond_destroy(&ready);
  pthread_mutex_unlock(&lock);
}

int main(void) { run_two(first, second); }
