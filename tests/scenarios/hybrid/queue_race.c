// expect: possible data race
// expect hb: none
// modes: hybrid hb
// also: c++
// names: items
// tsan: misses, the order of the locks hides it
#include "scenario.h"

// As the twin, but the giver touches an item again that it has given away, in
// front of a lock that the taker takes later.
enum { ITEMS = 8 };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int items[ITEMS], queue[ITEMS], head, tail, sum;

NOINLINE static void put(void) {
  items[0] = 1;
  pthread_mutex_lock(&mutex);
  queue[tail++] = 0;
  pthread_mutex_unlock(&mutex);
  items[0] = 2; // here
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
}
NOINLINE static void get(void) {
  pthread_mutex_lock(&mutex);
  int at = head < tail ? queue[head++] : -1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  if (at >= 0) sum += items[at]; // here
}

int main(void) { run_two(put, get); }
