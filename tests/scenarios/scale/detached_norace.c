// expect: none
// More threads than there are slots, none of them joined. Each tells by a
// semaphore that it is done.
#include "scenario.h"

#include <semaphore.h>

enum { THREADS = 6000 };

static sem_t done;
static int shared;
static int count;

static void *work(void *unused) {
  if (count == 0) shared = 1;
  ++count;
  sem_post(&done);
  // Nobody will know of this.
  char *text = (char *)malloc(8);
  USE(text[0]);
  free(text);
  return unused;
}

int main(void) {
  sem_init(&done, 0, 0);
  for (int i = 0; i < THREADS; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    sem_wait(&done);
  }
  shared = 2;
  return count != THREADS;
}
