// expect: none
// also: c++
// orders: lock unlock destroy
#include "scenario.h"

// The memory of a destroyed mutex becomes another one: by initialisation, by
// assignment, as part of something else.
pthread_mutex_t mutex;
union {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
} memory;

static void use(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
}

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  mutex = fresh;
  use(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_init(&mutex, NULL);
  use(&mutex);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_init(&memory.mutex, NULL);
    use(&memory.mutex);
    pthread_mutex_destroy(&memory.mutex);
    pthread_rwlock_init(&memory.rwlock, NULL);
    pthread_rwlock_rdlock(&memory.rwlock);
    pthread_rwlock_unlock(&memory.rwlock);
    pthread_rwlock_destroy(&memory.rwlock);
    pthread_spin_init(&memory.spin, 0);
    pthread_spin_lock(&memory.spin);
    pthread_spin_unlock(&memory.spin);
    pthread_spin_destroy(&memory.spin);
  }
}
