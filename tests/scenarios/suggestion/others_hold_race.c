// expect: data race, data race
// also: c++
// names: balance
#include "scenario.h"

// Two functions change the balance under the lock, the third reads it without.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long balance;

NOINLINE static void deposit(void) {
  pthread_mutex_lock(&mutex);
  balance += 3;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void withdraw(void) {
  pthread_mutex_lock(&mutex);
  balance -= 2;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void audit(void) {
  CONSUME(balance); // here
}

static void *earlier(void *argument) {
  deposit();
  take_step();
  wait_for_step(2);
  withdraw();
  return argument;
}
static void *later(void *argument) {
  wait_for_step(1);
  audit();
  take_step();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, earlier, NULL);
  pthread_create(&threads[1], NULL, later, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
