// A function that waits, out of sight of the loops that call it.
#include <pthread.h>

#ifdef __cplusplus
extern "C"
#endif
void wait_elsewhere(pthread_mutex_t *mutex, pthread_cond_t *condition) {
  pthread_cond_wait(condition, mutex);
}
