/* A million acquisitions of ten thousand locks, two at a time, by two threads
 * that agree on their order. Called as `lock_order neighbours|pairs COUNT`:
 * with `neighbours` every lock is taken under the one before it, with `pairs`
 * under any other, so that nearly every pair is new. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCKS = 10000, THREADS = 2 };

struct job {
  uint64_t acquisitions;
  uint64_t state;
  uint64_t sum;
  int any;
};

static pthread_mutex_t locks[LOCKS];
/* The order that all agree on is not that in which the locks were made. */
static unsigned place[LOCKS];

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void *work(void *argument) {
  struct job *job = argument;
  unsigned at = 0;
  for (uint64_t i = 0; i < job->acquisitions; i += 2) {
    unsigned first = at, second;
    if (job->any) {
      uint64_t random = next_random(&job->state);
      first = (unsigned)(random >> 8) % (LOCKS - 1);
      second = first + 1 + (unsigned)(random >> 40) % (LOCKS - 1 - first);
    } else {
      second = first + 1;
      at = second % (LOCKS - 1);
    }
    pthread_mutex_lock(&locks[place[first]]);
    pthread_mutex_lock(&locks[place[second]]);
    job->sum += second - first;
    pthread_mutex_unlock(&locks[place[second]]);
    pthread_mutex_unlock(&locks[place[first]]);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int any = strcmp(argv[1], "pairs") == 0;
  uint64_t count = strtoull(argv[2], NULL, 10);
  uint64_t state = 42;
  for (unsigned i = 0; i < LOCKS; i++) {
    pthread_mutex_init(&locks[i], NULL);
    unsigned other = (unsigned)(next_random(&state) >> 20) % (i + 1);
    place[i] = place[other];
    place[other] = i;
  }
  struct job jobs[THREADS];
  pthread_t threads[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){count / THREADS, i + 1, 0, any};
    if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0) return 2;
  }
  uint64_t sum = 0;
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += jobs[i].sum;
  }
  printf("checksum %llu\n", (unsigned long long)sum);
  return 0;
}
