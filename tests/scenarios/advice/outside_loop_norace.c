// expect: none
// also: c++
// orders: wait-first
#include <time.h>

#include "condvar/handover.h"

// None of these relies on how the wait ended: a function that only waits,
// called in a loop; one that looks again and reports the result; a wait with a
// time limit, to sleep.
static void wait_once(void) {
  pthread_mutex_lock(&mutex);
  take_step();
  if (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static int is_ready(void) {
  pthread_mutex_lock(&mutex);
  int result = ready;
  pthread_mutex_unlock(&mutex);
  return result;
}
NOINLINE static int wait_and_look(int *out) {
  int good = 0;
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  if (ready) {
    *out = payload;
    good = 1;
  }
  pthread_mutex_unlock(&mutex);
  return good;
}
NOINLINE static void doze(void) {
  struct timespec past = {0, 0};
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &past);
  payload++;
  pthread_mutex_unlock(&mutex);
}

NOINLINE static void publish(void) {
  pthread_mutex_lock(&mutex);
  payload = 42;
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
static void *wait_and_use(void *unused) {
  int value = 0;
  while (!is_ready()) wait_once();
  while (!wait_and_look(&value));
  CONSUME(value);
  doze();
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
