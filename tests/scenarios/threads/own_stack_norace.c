// expect: none
// A thread on a stack that the program gave it, and takes back.
#include "scenario.h"

enum { SIZE = 1 << 18 };
static _Alignas(64) char stack[SIZE];
int shared;

NOINLINE static void *use(void *argument) {
  char buffer[4096];
  memset(buffer, 1, sizeof buffer);
  CONSUME(buffer[9]);
  shared += 1;
  take_step();
  return argument;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, SIZE);
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&thread, &attributes, use, NULL)) return 1;
    pthread_join(thread, NULL);
    memset(stack, 0, SIZE);
  }
}
