// expect: unlock of an unlocked mutex
// also: c++
// names: mutex 'mutex', no thread holds
#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex); // here
}
