/* Two threads pass a message back and forth through condition variables. */
#include "../bench.h"

enum { MESSAGE = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned[BENCH_WORKERS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static unsigned turn;
static uint64_t message[MESSAGE];

static void work(unsigned worker, uint64_t rounds) {
  for (uint64_t round = 0; round < rounds; round++) {
    pthread_mutex_lock(&lock);
    while (turn != worker) pthread_cond_wait(&turned[worker], &lock);
    for (unsigned i = 0; i < MESSAGE; i++) message[i] = message[i] * 31 + worker + i;
    turn = (worker + 1) % BENCH_WORKERS;
    pthread_cond_signal(&turned[turn]);
    pthread_mutex_unlock(&lock);
  }
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 10000));
  uint64_t sum = 0;
  for (unsigned i = 0; i < MESSAGE; i++) sum = sum * 31 + message[i];
  bench_publish(sum);
  return bench_finish();
}
