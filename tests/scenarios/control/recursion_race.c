// expect: data race
// names: shared, descend
// tsan: skip: at this depth it now and then crashes inside itself and hangs
#include "scenario.h"

// The racy access sits 100,000 calls deep.
int shared;

NOINLINE static int descend(int depth) {
  if (depth == 0) {
    shared = 1; // here
    return 0;
  }
  int below = descend(depth - 1);
  CONSUME(below);
  return below + 1;
}
static void *deep(void *unused) {
  if (descend(100000) != 100000) abort();
  take_step();
  return unused;
}
static void *flat(void *unused) {
  wait_for_step(1);
  shared = 2; // here
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_create(&threads[0], &attributes, deep, NULL);
  pthread_create(&threads[1], NULL, flat, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
