// expect: none
// Destroyed when the thread that used it is joined.
#include "scenario.h"

static pthread_rwlock_t lock;

NOINLINE static void *use(void *argument) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&lock, NULL);
  pthread_create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
  pthread_rwlock_destroy(&lock);
}
