// expect: data race
// also: c++
// names: thread-local 'own' (int)
#include "scenario.h"

__thread int own;
int *passed;

static void *use(void *unused) {
  *passed = 2; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  passed = &own;
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  own = 3; // here
  CONSUME(own);
  pthread_join(thread, NULL);
}
