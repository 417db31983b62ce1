// expect: none
// also: c++
#include "scenario.h"

// As often as it was locked, twice over.
pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) pthread_mutex_lock(&mutex);
    for (int i = 0; i < 3; i++) pthread_mutex_unlock(&mutex);
  }
}
