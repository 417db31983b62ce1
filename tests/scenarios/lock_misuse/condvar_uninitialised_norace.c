// expect: none
// also: c++
#include <time.h>

#include "scenario.h"

// Initialised before it is used, in each of the ways there are.
union {
  char text[sizeof(pthread_cond_t)];
  pthread_cond_t variable;
} condition;
pthread_cond_t constant = PTHREAD_COND_INITIALIZER;
pthread_cond_t zeros;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(pthread_cond_t *variable) {
  struct timespec past = {1, 0};
  pthread_cond_signal(variable);
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(variable, &mutex, &past);
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(variable);
}

int main(void) {
  pthread_condattr_t attributes;
  condition.text[sizeof condition.text - 1] = 'x';
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&condition.variable, &attributes);
  use(&condition.variable);
  use(&constant);
  use(&zeros);
}
