// expect: data race
// names: shared
// tsan: skip: it does not know C11 threads
#include <threads.h>

#include "scenario.h"

// A destructor of thread-specific storage writes when its thread ends.
tss_t key;
int shared;

static void destroy(void *value) {
  shared = *(int *)value; // here
  free(value);
  take_step();
}

static int owner(void *unused) {
  (void)unused;
  int *value = (int *)malloc(sizeof *value);
  *value = 1;
  tss_set(key, value);
  return 0;
}

int main(void) {
  thrd_t thread;
  tss_create(&key, destroy);
  thrd_create(&thread, owner, NULL);
  wait_for_step(1);
  shared = 2; // here
  thrd_join(thread, NULL);
  tss_delete(key);
}
