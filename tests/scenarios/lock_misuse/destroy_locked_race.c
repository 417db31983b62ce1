// expect: destroy of a locked mutex
// also: c++
// names: mutex 'mutex', it holds itself
#include "scenario.h"

pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex); // here
  pthread_mutex_destroy(&mutex); // here
}
