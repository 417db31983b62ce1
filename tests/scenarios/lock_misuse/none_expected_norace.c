// expect: none
// also: c++
#include "scenario.h"

#ifdef __cplusplus
extern "C"
#endif
void __tsan_check_no_mutexes_held(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  __tsan_check_no_mutexes_held();
}
