// expect: none
// Destroyed when the thread that used it is joined.
#include "scenario.h"

static pthread_mutex_t lock;

NOINLINE static void *use(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, NULL);
  pthread_create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&lock);
}
