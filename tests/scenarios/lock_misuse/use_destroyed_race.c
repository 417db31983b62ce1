// expect: use of a destroyed mutex
// also: c++
// orders: lock unlock destroy
// names: mutex 'mutex', was destroyed at
#include "scenario.h"

pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_destroy(&mutex); // here
  if (ordered("unlock"))
    pthread_mutex_unlock(&mutex); // here: unlock
  else if (ordered("destroy"))
    pthread_mutex_destroy(&mutex); // here: destroy
  else
    pthread_mutex_lock(&mutex); // here: lock
}
