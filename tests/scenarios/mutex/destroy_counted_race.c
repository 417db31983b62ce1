// expect: possible data race
// expect hb: none
// The last user destroys the lock, as far as it knows.
#include "scenario.h"

static pthread_mutex_t lock;

NOINLINE static void *use(void *argument) {
  pthread_mutex_lock(&lock); // here
  pthread_mutex_unlock(&lock);
  take_step();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, NULL);
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock); // here
  pthread_join(thread, NULL);
}
