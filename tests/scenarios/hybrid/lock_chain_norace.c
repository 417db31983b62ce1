// expect: none
// modes: hybrid hb
// also: c++
#include "invisible.h"
#include "scenario.h"

// As the twin, but what the locks guard is handed on with them.
pthread_mutex_t far = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t near = PTHREAD_MUTEX_INITIALIZER;
int shared, far_state, near_state;

static void *first(void *arg) {
  (void)arg;
  shared = 1;
  pthread_mutex_lock(&far);
  far_state++;
  pthread_mutex_unlock(&far);
  take_step();
  return NULL;
}

static void *between(void *arg) {
  (void)arg;
  wait_for_step(1);
  pthread_mutex_lock(&far);
  far_state++;
  pthread_mutex_unlock(&far);
  pthread_mutex_lock(&near);
  near_state++;
  pthread_mutex_unlock(&near);
  take_step();
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  wait_for_step(2);
  pthread_mutex_lock(&near);
  near_state++;
  pthread_mutex_unlock(&near);
  shared = 2;
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
