/* What every kernel shares: how much work to do, two workers that live at the
 * same time, a place to publish progress, and the checksum line by which the
 * harness knows that every tool ran the same computation.
 *
 * A kernel is called as `kernel [PERCENT]`, 100 being the full size. Workers
 * publish their progress under a mutex now and then, as real programs do, so
 * that no detector profits from a run without any synchronisation in it. */
#ifndef RACERT_BENCH_H
#define RACERT_BENCH_H

#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BENCH_WORKERS = 2 };

#define BENCH_NOINLINE __attribute__((noinline))

/* The amount of work: `full` scaled by the percentage on the command line. */
static inline uint64_t bench_amount(int argc, char **argv, uint64_t full) {
  if (argc < 2) return full;
  char *end = NULL;
  unsigned long percent = strtoul(argv[1], &end, 10);
  if (end == argv[1] || *end != '\0' || percent > 100000) {
    fprintf(stderr, "usage: %s [PERCENT]\n", argv[0]);
    exit(2);
  }
  uint64_t amount = full * percent / 100;
  return amount != 0 ? amount : 1;
}

/* A small generator (xorshift64*): the same numbers under every tool. */
static inline uint64_t bench_random(uint64_t *state) {
  uint64_t x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t bench_seed(unsigned worker) {
  return UINT64_C(0x9e3779b97f4a7c15) * (worker + 1);
}

static inline void *bench_alloc(size_t bytes) {
  void *block = malloc(bytes);
  if (block == NULL) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return block;
}

static pthread_mutex_t bench_total_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t bench_total;

/* Adds to the checksum; commutative, so the schedule does not show in it. */
static inline void bench_publish(uint64_t part) {
  pthread_mutex_lock(&bench_total_lock);
  bench_total += part;
  pthread_mutex_unlock(&bench_total_lock);
}

typedef void bench_work(unsigned worker, uint64_t amount);

struct bench_job {
  bench_work *work;
  uint64_t amount;
  unsigned worker;
};

static inline void *bench_thread(void *argument) {
  struct bench_job *job = (struct bench_job *)argument;
  job->work(job->worker, job->amount);
  return NULL;
}

/* Runs `work` in every worker at once and waits for all of them. */
static inline void bench_run(bench_work *work, uint64_t amount) {
  pthread_t threads[BENCH_WORKERS];
  struct bench_job jobs[BENCH_WORKERS];
  for (unsigned i = 0; i < BENCH_WORKERS; i++) {
    jobs[i].work = work;
    jobs[i].amount = amount;
    jobs[i].worker = i;
    if (pthread_create(&threads[i], NULL, bench_thread, &jobs[i]) != 0) {
      fprintf(stderr, "cannot create a thread\n");
      exit(2);
    }
  }
  for (unsigned i = 0; i < BENCH_WORKERS; i++) pthread_join(threads[i], NULL);
}

/* Prints the checksum; the value `main` returns. */
static inline int bench_finish(void) {
  printf("checksum %016" PRIx64 "\n", bench_total);
  return 0;
}

#endif
