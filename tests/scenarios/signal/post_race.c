// expect: data race
// timeout: 300
// names: payload
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

#include "scenario.h"

// A handler that posts a semaphore interrupts its thread anywhere, also while
// the detector is at work; the post counts in every case.
sem_t semaphore;
int payload;
volatile sig_atomic_t posts;

static void handle(int number) {
  (void)number;
  sem_post(&semaphore);
  ++posts;
}

static void *wait_for_posts(void *unused) {
  for (int i = 0; i < 200; ++i)
    while (sem_wait(&semaphore)) continue;
  wait_for_step(1);
  CONSUME(payload); // here
  return unused;
}

int main(void) {
  static long busy[64];
  struct itimerval often = {{0, 200}, {0, 200}};
  struct itimerval never = {{0, 0}, {0, 0}};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  sigset_t all;
  sem_init(&semaphore, 0, 0);
  signal(SIGALRM, handle);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_create(&thread, NULL, wait_for_posts, NULL);
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (long i = 0; posts < 200; ++i) {
    busy[i % 64] += i;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    free(malloc(16));
  }
  setitimer(ITIMER_REAL, &never, NULL);
  payload = 1; // here
  take_step();
  pthread_join(thread, NULL);
}
