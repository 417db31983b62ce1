// expect: none
// also: c++
// tsan: skip: its background thread keeps the process alive for ever
#include "scenario.h"

int shared;

static void *second(void *unused) {
  shared = 2;
  return unused;
}
static void *first(void *unused) {
  pthread_t thread;
  shared = 1;
  pthread_create(&thread, NULL, second, NULL);
  pthread_detach(thread);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}
