// expect: data race
// names: crawled
// timeout: 300
#include "scenario.h"

#define COUNT 30000

// One thread is in a critical section for long and takes another lock many
// times in it; meanwhile a second thread goes over what the first one has done.
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
long items[COUNT];
int crawled;

NOINLINE static void visit(int i) {
  pthread_mutex_lock(&inner);
  ++items[i];
  pthread_mutex_unlock(&inner);
}

static void *crawl(void *unused) {
  pthread_mutex_lock(&outer);
  for (int i = 0; i < COUNT; ++i) visit(i);
  crawled = 1; // here
  take_step();
  wait_for_step(2);
  pthread_mutex_unlock(&outer);
  return unused;
}

static void *work(void *unused) {
  wait_for_step(1);
  for (int i = 0; i < COUNT; ++i) visit(i);
  crawled = 2; // here
  take_step();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, crawl, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
