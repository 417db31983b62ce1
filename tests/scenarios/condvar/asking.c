// A function that waits and one that asks, out of sight of the loop that calls
// them.
#include <pthread.h>

int is_set_elsewhere(const int *flag) { return *flag; }

int wait_until_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition,
                         const struct timespec *end) {
  return pthread_cond_timedwait(condition, mutex, end);
}
