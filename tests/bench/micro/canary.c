/* A data race nothing can hide: two threads write to the same variable and
 * never synchronise. A detector that keeps quiet about it was not at work, and
 * figures measured with it would mean nothing. */
#include <pthread.h>
#include <stdio.h>

static long shared;

static void *work(void *argument) {
  for (int i = 0; i < 1000; i++) shared++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 2;
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("checksum canary");
  return 0;
}
