// expect: none
// also: c++
// orders: signal-first wait-first
#include "condvar/handover.h"

// A ring with two condition variables.
enum { PLACES = 2, ITEMS = 2 };
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int items[ITEMS], *ring[PLACES];
unsigned head, tail;

static void put(int *item) {
  pthread_mutex_lock(&mutex);
  while (tail - head == PLACES) pthread_cond_wait(&not_full, &mutex);
  ring[tail++ % PLACES] = item;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}
static int *get_locked(void) {
  while (tail == head) pthread_cond_wait(&not_empty, &mutex);
  int *item = ring[head++ % PLACES];
  pthread_cond_signal(&not_full);
  return item;
}
NOINLINE static void publish(void) {
  for (int i = 0; i < ITEMS; ++i) {
    items[i] = 1;
    put(&items[i]);
  }
}
static void *wait_and_use(void *unused) {
  lock_to_wait();
  int *first = get_locked();
  pthread_mutex_unlock(&mutex);
  USE(*first);
  pthread_mutex_lock(&mutex);
  int *second = get_locked();
  pthread_mutex_unlock(&mutex);
  USE(*second);
  return unused;
}

int main(void) { hand_over(publish, wait_and_use); }
