// expect: none
// flags: -std=c++17
// Memory that goes back to a pool of the C++ library is handed out again to
// another thread. Which order the pool's own lock made of it is not seen.
#include <atomic>
#include <memory_resource>

#include "scenario.h"

std::pmr::synchronized_pool_resource pool;
std::atomic<int *> passed;

NOINLINE static void *owner(void *) {
  int *block = (int *)pool.allocate(64);
  *block = 1;
  passed.store(block, std::memory_order_release);
  wait_for_step(1);
  int *again = (int *)pool.allocate(64);
  *again = 3;
  CONSUME(again == block);
  pool.deallocate(again, 64);
  return NULL;
}
NOINLINE static void *taker(void *) {
  int *block;
  while (!(block = passed.load(std::memory_order_acquire))) {
  }
  *block = 2;
  pool.deallocate(block, 64);
  take_step();
  return NULL;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, owner, NULL);
  pthread_create(&threads[1], NULL, taker, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
