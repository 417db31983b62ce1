// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

NOINLINE static void add(void) {
  pthread_mutex_lock(&mutex);
  shared += 1;
  pthread_mutex_unlock(&mutex);
}
static void *add_detached(void *unused) {
  add();
  take_step();
  return unused;
}

int main(void) {
  for (int i = 0; i < 10; ++i) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (i % 2) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, add_detached, NULL);
    if (i % 2 == 0) pthread_detach(thread);
    pthread_attr_destroy(&attributes);
  }
  wait_for_step(10);
  add();
}
