// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec past = {0, 0};
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &past);
  pthread_mutex_unlock(&mutex);
}
