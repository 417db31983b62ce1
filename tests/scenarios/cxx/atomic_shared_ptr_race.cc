// expect: data race
// flags: -std=c++20
// orders: first-second
#include <atomic>
#include <memory>

#include "scenario.h"

std::atomic<std::shared_ptr<int>> current;

NOINLINE static void first() {
  auto mine = std::make_shared<int>(2);
  current.store(mine);
  *mine = 3; // here
  take_step();
  wait_for_step(2);
}
NOINLINE static void second() {
  wait_for_step(1);
  std::shared_ptr<int> seen = current.load();
  CONSUME(*seen); // here
  take_step();
}

NOINLINE static void *run(void *body) {
  ((body_fn *)body)();
  return NULL;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, run, (void *)first);
  pthread_create(&threads[1], NULL, run, (void *)second);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
