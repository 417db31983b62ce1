// expect: none
// also: c++
#include "scenario.h"

int shared;

NOINLINE static void leave(void) { pthread_exit(&shared); }
static void *write_it(void *unused) {
  shared += 1;
  leave();
  return unused;
}

int main(void) {
  for (int i = 0; i < 50; ++i) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, write_it, NULL);
    pthread_join(thread, &result);
    *(int *)result += 1;
  }
}
