// expect: data race
// names: shared
// The first of more threads than there are slots, none of them joined, writes
// after it has told that it is done. What later threads tell does not order it,
// though a slot is given to two of them because they all read the same last.
#include "scenario.h"

#include <semaphore.h>

enum { THREADS = 6000 };

static sem_t done;
int shared;
static int count;
int settings = 1;

static void *late(void *unused) {
  sem_post(&done);
  shared = 1; // here
  take_step();
  return unused;
}

static void *work(void *unused) {
  ++count;
  sem_post(&done);
  // Nobody will know of this.
  CONSUME(settings);
  return unused;
}

int main(void) {
  sem_init(&done, 0, 0);
  for (int i = 0; i < THREADS; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, i == 0 ? late : work, NULL);
    pthread_detach(thread);
    sem_wait(&done);
  }
  wait_for_step(1);
  shared = 2; // here
  return 0;
}
