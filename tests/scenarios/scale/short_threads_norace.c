// expect: none
// opt: O1
// timeout: 300
#include "scenario.h"

enum { COUNT = 5000 };
int shared;

static void *work(void *unused) {
  shared += 1;
  return unused;
}

int main(void) {
  for (int i = 0; i < COUNT; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL)) return 1;
    pthread_join(thread, NULL);
  }
  return shared != COUNT;
}
