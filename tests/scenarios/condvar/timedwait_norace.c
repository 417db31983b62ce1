// expect: none
// also: c++
#include <errno.h>
#include <time.h>

#include "scenario.h"

// The mutex is given back during a timed wait and taken again after it.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int payload;

static void *write_it(void *unused) {
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&mutex);
    payload += 1;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {0, 0};
  pthread_create(&thread, NULL, write_it, NULL);
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 100; ++i) {
    if (pthread_cond_timedwait(&condition, &mutex, &past) != ETIMEDOUT) abort();
    payload += 1;
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
