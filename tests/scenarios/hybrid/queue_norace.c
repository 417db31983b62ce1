// expect: none
// modes: hybrid hb
// also: c++
#include "scenario.h"

// Items change hands through a queue behind a mutex, by index.
enum { ITEMS = 8 };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int items[ITEMS], queue[ITEMS], head, tail, sum;

NOINLINE static void put(void) {
  for (int i = 0; i < ITEMS; i++) {
    items[i] = i + 1;
    pthread_mutex_lock(&mutex);
    queue[tail++] = i;
    pthread_mutex_unlock(&mutex);
  }
}
NOINLINE static void get(void) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    int at = head < tail ? queue[head++] : -1;
    pthread_mutex_unlock(&mutex);
    if (at < 0) return;
    sum += items[at];
    items[at] = 0;
  }
}

int main(void) { run_two(put, get); }
