// A function that hands its arguments on to one that waits, which is in a third
// file.
#include <pthread.h>

void wait_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition);

void pass_on_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition) {
  wait_elsewhere(mutex, condition);
}
