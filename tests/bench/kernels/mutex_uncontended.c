/* Each worker takes and releases locks that nobody else wants. */
#include "../bench.h"

enum { LOCKS = 16 };

struct account {
  pthread_mutex_t lock;
  uint64_t balance;
  char apart[64];
};

static void work(unsigned worker, uint64_t rounds) {
  struct account *accounts = (struct account *)bench_alloc(LOCKS * sizeof *accounts);
  for (unsigned i = 0; i < LOCKS; i++) {
    pthread_mutex_init(&accounts[i].lock, NULL);
    accounts[i].balance = worker;
  }
  for (uint64_t round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < LOCKS; i++) {
      pthread_mutex_lock(&accounts[i].lock);
      accounts[i].balance += round ^ i;
      pthread_mutex_unlock(&accounts[i].lock);
    }
  }
  uint64_t sum = 0;
  for (unsigned i = 0; i < LOCKS; i++) {
    sum = sum * 31 + accounts[i].balance;
    pthread_mutex_destroy(&accounts[i].lock);
  }
  free(accounts);
  bench_publish(sum);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 400000));
  return bench_finish();
}
