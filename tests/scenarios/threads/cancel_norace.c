// expect: none
// also: c++
#include <unistd.h>

#include "scenario.h"

int shared;

static void clean_up(void *unused) {
  (void)unused;
  shared += 1;
}
static void *wait_for_cancellation(void *unused) {
  pthread_cleanup_push(clean_up, NULL);
  take_step();
  for (;;) pause();
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  for (int i = 0; i < 10; ++i) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait_for_cancellation, NULL);
    wait_for_step(i + 1);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED) return 1;
    shared += 1;
  }
}
