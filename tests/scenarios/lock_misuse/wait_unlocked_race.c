// expect: wait on a condition variable with a mutex not held
// also: c++
// names: mutex 'mutex', condition variable 'condition'
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec past = {0, 0};
  pthread_cond_timedwait(&condition, &mutex, &past); // here
}
