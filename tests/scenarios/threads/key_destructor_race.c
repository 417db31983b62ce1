// expect: data race
// also: c++
// names: shared
#include "scenario.h"

pthread_key_t key;
int shared;

static void destroy(void *unused) {
  (void)unused;
  shared = 1; // here
  take_step();
}
static void *set_key(void *unused) {
  pthread_setspecific(key, &shared);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, set_key, NULL);
  wait_for_step(1);
  shared = 2; // here
  pthread_join(thread, NULL);
}
