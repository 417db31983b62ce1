/* Reads much memory that costs nothing itself, a piece at a time under a mutex,
 * then races, or not. Prints how much memory the process had at most, in MiB.
 * Called as `ceiling race|norace`. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scenarios/invisible.h"

enum { PIECE = 1 << 16, PIECES = 3 << 11 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Read only: all its pages are the one page of zeros. */
uint64_t pieces[PIECES][PIECE / 8 / 8];
static uint64_t sum;
static volatile int shared;

static void *read_all(void *argument) {
  for (unsigned i = 0; i < PIECES; i++) {
    uint64_t part = 0;
    for (unsigned j = 0; j < PIECE / 8 / 8; j++) part += pieces[i][j];
    pthread_mutex_lock(&mutex);
    sum += part;
    pthread_mutex_unlock(&mutex);
  }
  /* Both have read all: little is forgotten from here on. */
  take_step();
  wait_for_step(2);
  for (int i = 0; argument != NULL && i < 1000; i++) shared++;
  return NULL;
}

static long peak(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (fgets(line, sizeof line, file) != NULL) sscanf(line, "VmHWM: %ld", &kilobytes);
  fclose(file);
  return kilobytes / 1024;
}

int main(int argc, char **argv) {
  int races = argc > 1 && strcmp(argv[1], "race") == 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&threads[i], NULL, read_all, i == 0 || races ? &sum : NULL);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%ld\n", peak());
  return sum != 0;
}
