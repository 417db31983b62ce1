/* What it costs to start, with one thread created and joined. */
#include <pthread.h>
#include <stdio.h>

static void *greet(void *name) {
  printf("checksum %s\n", (const char *)name);
  return NULL;
}

int main(void) {
  static char name[] = "hello";
  pthread_t thread;
  if (pthread_create(&thread, NULL, greet, name) != 0) return 2;
  pthread_join(thread, NULL);
  return 0;
}
