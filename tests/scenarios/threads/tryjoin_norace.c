// expect: none
// also: c++
#include <time.h>

#include "scenario.h"

int shared;

static void *write_it(void *unused) {
  shared += 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec future = {(time_t)1 << 40, 0};
  pthread_create(&thread, NULL, write_it, NULL);
  if (pthread_timedjoin_np(thread, NULL, &future)) return 1;
  shared += 1;
  pthread_create(&thread, NULL, write_it, NULL);
  while (pthread_tryjoin_np(thread, NULL)) {
  }
  shared += 1;
}
