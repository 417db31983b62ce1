// expect: data race
// opt: O1
// names: shared
// tsan: misses: it has slots for 255 threads (with 50 threads it reports)
// timeout: 300
#include "scenario.h"

// 300 threads are alive at once; the first and the last write the same variable.
enum { COUNT = 300 };
int shared, slots[COUNT];

static void *work(void *argument) {
  int number = *(int *)argument;
  wait_for_step(number);
  if (number == 0 || number == COUNT - 1) {
    shared = number; // here
  }
  slots[number] = number;
  take_step();
  wait_for_step(COUNT);
  return NULL;
}

int main(void) {
  pthread_t threads[COUNT];
  int numbers[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], NULL);
}
