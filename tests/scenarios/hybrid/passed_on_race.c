// expect: possible data race
// expect hb: none
// modes: hybrid hb
// names: value, Mutex 'mutex' was taken by thread T2
// tsan: misses, the mutex happens to order the two
// also: c++
#include <semaphore.h>

#include "scenario.h"

// What the mutex tells the thread in the middle, that one passes on by a
// semaphore before it gives the mutex back.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t told;
int value, written, passed;

NOINLINE static void *writer(void *unused) {
  value = 1; // here
  pthread_mutex_lock(&mutex);
  written = 1;
  pthread_mutex_unlock(&mutex);
  take_step();
  return unused;
}
NOINLINE static void *middle(void *unused) {
  wait_for_step(1);
  pthread_mutex_lock(&mutex);
  passed = 1;
  sem_post(&told);
  wait_for_step(2);
  passed = 2;
  pthread_mutex_unlock(&mutex);
  return unused;
}
NOINLINE static void *reader(void *unused) {
  while (sem_wait(&told)) {
  }
  CONSUME(value); // here
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
