// expect: none
// also: c++
#include <limits.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *write_it(void *unused) {
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&mutex);
    shared += 1;
    pthread_mutex_unlock(&mutex);
    free(malloc(100));
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&threads[i], &attributes, write_it, NULL)) return 1;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return shared != 4000;
}
