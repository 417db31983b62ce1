/* Memory per thread: `threads_alive COUNT` keeps COUNT threads alive at once,
 * each having used a lock and a little heap. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 };

static pthread_barrier_t all_here;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

static void *live(void *argument) {
  char *block = malloc(BYTES);
  if (block == NULL) exit(2);
  memset(block, 1, BYTES);
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < BYTES; i++) total += (unsigned long)block[i];
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&all_here);
  free(block);
  return argument;
}

int main(int argc, char **argv) {
  unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  pthread_t *threads = calloc(count + 1, sizeof *threads);
  if (threads == NULL) return 2;
  pthread_barrier_init(&all_here, NULL, count + 1);
  for (unsigned i = 0; i < count; i++) {
    if (pthread_create(&threads[i], NULL, live, NULL) != 0) return 2;
  }
  pthread_barrier_wait(&all_here);
  for (unsigned i = 0; i < count; i++) pthread_join(threads[i], NULL);
  printf("checksum %lu\n", total);
  free(threads);
  return 0;
}
