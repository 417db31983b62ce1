// expect: none
// opt: O1
// timeout: 300
#include "scenario.h"

enum { COUNT = 300 };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, slots[COUNT];

static void *work(void *argument) {
  int number = *(int *)argument;
  pthread_mutex_lock(&mutex);
  shared += 1;
  pthread_mutex_unlock(&mutex);
  slots[number] = number;
  take_step();
  wait_for_step(COUNT);
  return NULL;
}

int main(void) {
  pthread_t threads[COUNT];
  int numbers[COUNT], sum = 0;
  for (int i = 0; i < COUNT; ++i) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < COUNT; ++i) sum += slots[i];
  return shared != COUNT || sum != COUNT * (COUNT - 1) / 2;
}
