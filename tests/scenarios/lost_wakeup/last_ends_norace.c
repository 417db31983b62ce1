// expect: none
// also: c++
// timeout: 300
#include "scenario.h"

// The thread that should signal does so while it ends.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_key_t key;
int ready;

NOINLINE static void signal_ready(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void *worker(void *unused) {
  wait_for_step(1);
  pthread_setspecific(key, &key);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, signal_ready);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  pthread_mutex_lock(&mutex);
  take_step();
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}
