// Threads that hang: one sleeps with a lock, one waits for that lock with
// another, one waits for the second, main joins.
#include <mutex>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "invisible.h"

struct Account {
  std::mutex guard;
  long balance;
};
static Account ours, theirs;
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;

static void *sleeper(void *) {
  std::lock_guard<std::mutex> held(ours.guard);
  take_step();
  for (;;)
    pause();
}

static void *waiter(void *) {
  wait_for_step(1);
  pthread_mutex_lock(&book);
  take_step();
  std::lock_guard<std::mutex> held(ours.guard);
  return nullptr;
}

static void *last(void *) {
  wait_for_step(2);
  wait_for_sleeper(&ours.guard);
  take_step();
  pthread_mutex_lock(&book);
  return nullptr;
}

int main() {
  pthread_t threads[3];
  pthread_create(&threads[0], nullptr, sleeper, nullptr);
  pthread_create(&threads[1], nullptr, waiter, nullptr);
  pthread_create(&threads[2], nullptr, last, nullptr);
  pthread_setname_np(threads[1], "teller");
  wait_for_step(3);
  wait_for_sleeper(&book);
  puts("hangs");
  fflush(stdout);
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}
