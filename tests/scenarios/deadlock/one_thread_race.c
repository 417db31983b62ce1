// expect: lock-order inversion (potential deadlock)
// also: c++
// options: single_thread_inversions=1
// names: mutex 'a', mutex 'b'
#include "scenario.h"

// Nobody but the main thread is there, and the user wants to hear of it.
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&a); // here
  pthread_mutex_lock(&b); // here
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b); // here
  pthread_mutex_lock(&a); // here
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}
