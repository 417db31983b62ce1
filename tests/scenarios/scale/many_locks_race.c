// expect: data race
// opt: O1
// names: shared
// tsan: skip: more than 128 locks held at once stop it
#include "scenario.h"

enum { COUNT = 200 };
pthread_mutex_t locks[2][COUNT];
int shared;

NOINLINE static void write_under(pthread_mutex_t *row) {
  for (int i = 0; i < COUNT; ++i) pthread_mutex_lock(&row[i]);
  shared += 1; // here
  for (int i = COUNT; i-- > 0;) pthread_mutex_unlock(&row[i]);
}
NOINLINE static void first(void) { write_under(locks[0]); }
NOINLINE static void second(void) { write_under(locks[1]); }

int main(void) {
  for (int i = 0; i < COUNT; ++i) {
    pthread_mutex_init(&locks[0][i], NULL);
    pthread_mutex_init(&locks[1][i], NULL);
  }
  run_two(first, second);
}
