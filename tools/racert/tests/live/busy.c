// Threads that take and give back locks, create threads and end, as fast as
// they can, until somebody has read a line from standard input.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int stop;

static void *short_lived(void *nothing) { return nothing; }

static void locked(int depth) {
  if (depth == 4)
    return;
  pthread_mutex_lock(&locks[depth]);
  free(malloc(64));
  locked(depth + 1);
  pthread_mutex_unlock(&locks[depth]);
}

static void *work(void *nothing) {
  while (!stop) {
    locked(0);
    pthread_t thread;
    if (!pthread_create(&thread, 0, short_lived, 0))
      pthread_join(thread, 0);
  }
  return nothing;
}

int main(void) {
  struct sigaction before;
  sigaction(SIGUSR1, 0, &before);
  puts(before.sa_handler == SIG_DFL ? "default" : "changed");
  fflush(stdout);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, work, 0);
  getchar();
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 7;
}
