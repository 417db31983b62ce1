// expect: none
// also: c++
#include "scenario.h"

// What one thread frees another may be given: allocation orders the two.
NOINLINE static void churn(void) {
  int *blocks[50];
  for (int i = 0; i < 50; ++i) {
    blocks[i] = (int *)malloc(64);
    memset(blocks[i], i, 64);
  }
  for (int i = 0; i < 50; ++i) free(blocks[i]);
}
static void *churn_in_turn(void *turn) {
  for (int round = 0; round < 20; ++round) {
    wait_for_step(2 * round + *(int *)turn);
    churn();
    take_step();
  }
  return NULL;
}

int main(void) {
  int turns[2] = {0, 1};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, churn_in_turn, &turns[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
