/* One lock and unlock, repeated; nobody else wants the lock, but a second
 * thread is alive. Called as `lock_unlock COUNT`. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t counter;

static void *work(void *argument) {
  uint64_t count = *(uint64_t *)argument;
  for (uint64_t i = 0; i < count; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, &count) != 0) return 2;
  pthread_join(thread, NULL);
  printf("checksum %llu\n", (unsigned long long)counter);
  return 0;
}
