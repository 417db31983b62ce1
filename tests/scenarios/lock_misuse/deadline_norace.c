// expect: none
// also: c++
#include <time.h>

#include "scenario.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec end = {time(NULL) - 1, 999999999};
  pthread_mutex_lock(&lock);
  pthread_cond_timedwait(&cond, &lock, &end);
  pthread_mutex_unlock(&lock);
}
