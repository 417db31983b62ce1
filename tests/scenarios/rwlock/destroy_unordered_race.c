// expect: data race
// names: lock
// reports: 1
// The lock may be destroyed while another thread takes it.
#include "scenario.h"

static pthread_rwlock_t lock;

NOINLINE static void *use(void *argument) {
  pthread_rwlock_rdlock(&lock); // here
  pthread_rwlock_unlock(&lock);
  take_step();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&lock, NULL);
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  pthread_rwlock_destroy(&lock); // here
  pthread_join(thread, NULL);
}
