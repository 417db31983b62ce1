// expect: invalid use of a condition variable
// tsan: misses, it does not look at results
// A deadline with less than no nanoseconds is none.
#include <time.h>

#include "scenario.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main() {
  timespec end = {time(NULL), -1};
  pthread_mutex_lock(&lock);
  pthread_cond_timedwait(&cond, &lock, &end); // here
  pthread_mutex_unlock(&lock);
}
