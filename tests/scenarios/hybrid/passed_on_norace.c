// expect: none
// also: c++
#include <semaphore.h>

#include "scenario.h"

// What the thread in the middle has read under the mutex, it passes on by a
// semaphore before it gives the mutex back: that orders.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t told;
int value, written, passed;

NOINLINE static void *writer(void *unused) {
  value = 1;
  pthread_mutex_lock(&mutex);
  written = 1;
  pthread_mutex_unlock(&mutex);
  take_step();
  return unused;
}
NOINLINE static void *middle(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  passed = written;
  sem_post(&told);
  wait_for_step(2);
  passed = 2;
  pthread_mutex_unlock(&mutex);
  return unused;
}
NOINLINE static void *reader(void *unused) {
  while (sem_wait(&told)) {
  }
  CONSUME(value);
  take_step();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&told, 0, 0);
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, middle, NULL);
  pthread_create(&threads[2], NULL, reader, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
