// expect: none
// also: c++
#include "scenario.h"

pthread_mutex_t mutex;

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
  }
}
