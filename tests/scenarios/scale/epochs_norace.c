// expect: none
// opt: O1
// timeout: 300
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *work(void *unused) {
  for (int i = 0; i < 100000; ++i) {
    pthread_mutex_lock(&mutex);
    shared += 1;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return shared != 200000;
}
