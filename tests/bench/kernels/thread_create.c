/* Short-lived threads, four at a time, each with a small buffer of its own. */
#include "../bench.h"

enum { BATCH = 4, WORDS = 256 };

struct task {
  uint64_t seed;
  uint64_t result;
};

static void *run(void *argument) {
  struct task *task = (struct task *)argument;
  uint64_t *buffer = (uint64_t *)bench_alloc(WORDS * sizeof *buffer);
  uint64_t state = task->seed;
  for (unsigned i = 0; i < WORDS; i++) buffer[i] = bench_random(&state);
  for (unsigned i = 1; i < WORDS; i++) buffer[i] ^= buffer[i - 1] >> 3;
  task->result = buffer[WORDS - 1];
  free(buffer);
  return NULL;
}

int main(int argc, char **argv) {
  uint64_t batches = bench_amount(argc, argv, 2000);
  for (uint64_t batch = 0; batch < batches; batch++) {
    pthread_t threads[BATCH];
    struct task tasks[BATCH];
    for (unsigned i = 0; i < BATCH; i++) {
      tasks[i].seed = bench_seed((unsigned)batch * BATCH + i);
      if (pthread_create(&threads[i], NULL, run, &tasks[i]) != 0) {
        fprintf(stderr, "cannot create a thread\n");
        return 2;
      }
    }
    for (unsigned i = 0; i < BATCH; i++) {
      pthread_join(threads[i], NULL);
      bench_total += tasks[i].result;
    }
  }
  return bench_finish();
}
