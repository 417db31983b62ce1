// expect: none
// exit: 5
// also: c++
#include "scenario.h"

// Other threads are running and hold a lock while the process ends.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *hold(void *unused) {
  pthread_mutex_lock(&mutex);
  shared += 1;
  take_step();
  wait_for_step(1000);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void *leave(void *unused) {
  wait_for_step(1);
  exit(5);
  return unused;
}

int main(void) {
  pthread_t holder, leaver;
  pthread_create(&holder, NULL, hold, NULL);
  pthread_create(&leaver, NULL, leave, NULL);
  pthread_join(leaver, NULL);
}
