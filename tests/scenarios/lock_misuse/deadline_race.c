// expect: invalid use of a condition variable
// also: c++
// tsan: misses, it does not look at results
#include <time.h>

#include "scenario.h"

// A thousand million nanoseconds are a second.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec end = {time(NULL), 1000000000};
  pthread_mutex_lock(&lock);
  pthread_cond_timedwait(&cond, &lock, &end); // here
  pthread_mutex_unlock(&lock);
}
