// expect: none
// also: c++
#include "scenario.h"

// Ordered through a chain: the writer is joined by a thread that main joins.
int shared;

static void *write_it(void *unused) {
  shared = 1;
  return unused;
}
static void *join_it(void *writer) {
  pthread_join(*(pthread_t *)writer, NULL);
  return NULL;
}

int main(void) {
  pthread_t writer, joiner;
  pthread_create(&writer, NULL, write_it, NULL);
  pthread_create(&joiner, NULL, join_it, &writer);
  pthread_join(joiner, NULL);
  CONSUME(shared);
}
