// expect: none
// Who gives back the last reference destroys the lock.
#include "scenario.h"

static pthread_mutex_t lock;
static int references = 2;

NOINLINE static void give_back(void) {
  pthread_mutex_lock(&lock);
  int last = --references == 0;
  pthread_mutex_unlock(&lock);
  if (last) pthread_mutex_destroy(&lock);
}

NOINLINE static void *use(void *argument) {
  give_back();
  take_step();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, NULL);
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  give_back();
  pthread_join(thread, NULL);
}
