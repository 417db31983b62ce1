// expect: none
// tsan: skip: it does not know C11 threads
#include <threads.h>

#include "scenario.h"

mtx_t mutex;
cnd_t condition;
once_flag once = ONCE_FLAG_INIT;
int shared, ready, initial, result;

static void initialise(void) { initial = 1; }
static int produce(void *unused) {
  (void)unused;
  call_once(&once, initialise);
  shared = initial;
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  return 0;
}
static int consume(void *unused) {
  (void)unused;
  call_once(&once, initialise);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  result = shared + initial;
  return 7;
}

int main(void) {
  thrd_t threads[2];
  int code;
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  cnd_init(&condition);
  thrd_create(&threads[0], consume, NULL);
  thrd_create(&threads[1], produce, NULL);
  thrd_join(threads[0], &code);
  thrd_join(threads[1], NULL);
  return result == 2 && code == 7 ? 0 : 1;
}
