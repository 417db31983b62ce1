// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// names: shared, Mutex 'near' was taken by thread T3, Mutex 'far' was taken by thread T2
// tsan: misses, the order of the locks hides it
#include "invisible.h"
#include "scenario.h"

// The news of the first write passes through a thread between the two, by two
// locks that have nothing to do with it.
pthread_mutex_t far = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t near = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *first(void *arg) {
  (void)arg;
  shared = 1; // here
  pthread_mutex_lock(&far);
  pthread_mutex_unlock(&far);
  take_step();
  return NULL;
}

static void *between(void *arg) {
  (void)arg;
  wait_for_step(1);
  pthread_mutex_lock(&far);
  pthread_mutex_unlock(&far);
  pthread_mutex_lock(&near);
  pthread_mutex_unlock(&near);
  take_step();
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  wait_for_step(2);
  pthread_mutex_lock(&near);
  pthread_mutex_unlock(&near);
  shared = 2; // here
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, between, NULL);
  pthread_create(&threads[2], NULL, second, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
