// expect: data race
// also: c++
// names: 'main::local' (int)
#include "scenario.h"

// The owner writes its own local again while another thread uses it.
int *passed;

static void *use(void *unused) {
  *passed = 2; // here
  take_step();
  return unused;
}

int main(void) {
  int local = 1;
  pthread_t thread;
  passed = &local;
  pthread_create(&thread, NULL, use, NULL);
  wait_for_step(1);
  local = 3; // here
  CONSUME(local);
  pthread_join(thread, NULL);
  CONSUME(local);
}
