// expect: data race
// also: c++
// names: payload
// Two threads of one of the processes that share a barrier write behind it.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

pthread_barrier_t *barrier;
int payload;

static void *first(void *unused) {
  pthread_barrier_wait(barrier);
  payload = 1; // here
  take_step();
  return unused;
}
static void *second(void *unused) {
  pthread_barrier_wait(barrier);
  wait_for_step(1);
  payload = 2; // here
  return unused;
}

int main(void) {
  int status = 1;
  pthread_t threads[2];
  pthread_barrierattr_t attributes;
  barrier = (pthread_barrier_t *)mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                                      MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(barrier, &attributes, 3);
  pid_t child = fork();
  if (child == 0) {
    pthread_barrier_wait(barrier);
    exit(0);
  }
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  waitpid(child, &status, 0);
  return status != 0;
}
