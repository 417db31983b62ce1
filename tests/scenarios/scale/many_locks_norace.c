// expect: none
// opt: O1
// tsan: skip: more than 128 locks held at once stop it
#include "scenario.h"

enum { COUNT = 200 };
pthread_mutex_t locks[COUNT];
int shared;

NOINLINE static void use(void) {
  for (int i = 0; i < COUNT; ++i) pthread_mutex_lock(&locks[i]);
  shared += 1;
  for (int i = COUNT; i-- > 0;) pthread_mutex_unlock(&locks[i]);
}
NOINLINE static void use_again(void) { use(); }

int main(void) {
  for (int i = 0; i < COUNT; ++i) pthread_mutex_init(&locks[i], NULL);
  run_two(use, use_again);
}
