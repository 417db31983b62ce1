// expect: none
// tsan: skip: at this depth it now and then crashes inside itself and hangs
#include "scenario.h"

int calls;

NOINLINE static int descend(int depth) {
  calls += 1;
  if (depth == 0) return 0;
  int below = descend(depth - 1);
  CONSUME(below);
  return below + 1;
}
static void *deep(void *unused) {
  for (int i = 0; i < 3; ++i)
    if (descend(100000) != 100000) abort();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_create(&thread, &attributes, deep, NULL);
  pthread_join(thread, NULL);
  return calls != 300003;
}
