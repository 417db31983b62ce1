// expect: mutex held where none should be
// also: c++
// names: Mutex 'mutex'
#include "scenario.h"

#ifdef __cplusplus
extern "C"
#endif
void __tsan_check_no_mutexes_held(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  __tsan_check_no_mutexes_held(); // here
  pthread_mutex_unlock(&mutex);
}
