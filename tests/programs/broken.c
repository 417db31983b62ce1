// A program that does a little of everything in four threads while the runtime
// breaks, and says at its end whether all of it was done right.
//
//   broken COUNT WHEN [race] [late]
//
// COUNT, WHEN: which entry into the runtime fails, and how (see
// __racert_testing_internal_error). race: with a race before that. late: with
// one afterwards.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void __racert_testing_internal_error(unsigned count, unsigned when)
    __attribute__((weak));

enum { THREADS = 4, ROUNDS = 300, BLOCKS = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static long by_mutex, by_rwlock, by_spin, by_semaphore;
static atomic_long by_atomic, by_exchange, handed, wrong;
static _Atomic(long) swapped;
static long tokens;
static int ends[2];
static _Thread_local volatile int signals;
static int racy;

static void expect(int truth, const char *what) {
  if (!truth) {
    atomic_fetch_add(&wrong, 1);
    fprintf(stderr, "wrong: %s\n", what);
  }
}

static void on_signal(int number) {
  (void)number;
  signals++;
}

static void *short_lived(void *argument) {
  char *text = strdup(argument);
  size_t length = strlen(text);
  free(text);
  return (void *)length;
}

static void heap(int round, void *blocks[BLOCKS], size_t sizes[BLOCKS]) {
  int at = round % BLOCKS;
  unsigned char *block = blocks[at];
  for (size_t i = 0; i < sizes[at]; i++)
    expect(block[i] == (unsigned char)(sizes[at] + at), "contents of a block");
  size_t size = 1 + (size_t)(round * 37 % 700);
  switch (round % 4) {
  case 0:
    free(block);
    block = malloc(size);
    break;
  case 1:
    block = realloc(block, size);
    for (size_t i = 0; i < size && i < sizes[at]; i++)
      expect(block[i] == (unsigned char)(sizes[at] + at), "contents after realloc");
    break;
  case 2:
    free(block);
    block = calloc(1, size);
    for (size_t i = 0; i < size; i++)
      expect(block[i] == 0, "contents after calloc");
    break;
  default:
    free(block);
    block = aligned_alloc(64, (size + 63) / 64 * 64);
    expect((size_t)block % 64 == 0, "alignment");
  }
  memset(block, (int)(unsigned char)(size + at), size);
  blocks[at] = block;
  sizes[at] = size;
}

static void *work(void *argument) {
  long number = (long)argument;
  void *blocks[BLOCKS] = {0};
  size_t sizes[BLOCKS] = {0};
  long last = 0, increments = 0;
  for (int round = 0; round < ROUNDS; round++) {
    heap(round, blocks, sizes);
    pthread_mutex_lock(&mutex);
    by_mutex++;
    tokens++;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    while (tokens == 0)
      pthread_cond_wait(&cond, &mutex);
    tokens--;
    pthread_mutex_unlock(&mutex);
    if (round % 3 == 0) {
      pthread_rwlock_rdlock(&rwlock);
      expect(by_rwlock >= last, "what the lock guards");
      last = by_rwlock;
    } else {
      pthread_rwlock_wrlock(&rwlock);
      by_rwlock++;
    }
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    sem_wait(&semaphore);
    by_semaphore++;
    sem_post(&semaphore);
    atomic_fetch_add(&by_atomic, 1);
    atomic_fetch_add_explicit(&by_exchange, atomic_exchange(&swapped, 1), memory_order_relaxed);
    increments++;
    long expected = atomic_load(&handed);
    while (!atomic_compare_exchange_weak(&handed, &expected, expected + number))
      ;
    char byte = (char)round;
    expect(write(ends[1], &byte, 1) == 1, "write");
    expect(read(ends[0], &byte, 1) == 1, "read");
    char text[40];
    int length = snprintf(text, sizeof text, "%ld:%d", number, round);
    expect((size_t)length == strlen(text) && atoi(text) == number, "text");
    if (round % 16 == 0) {
      int before = signals;
      errno = 77;
      pthread_kill(pthread_self(), SIGUSR1);
      expect(signals == before + 1, "signal");
      expect(errno == 77, "errno");
    }
    if (round % 25 == 0) {
      pthread_t thread;
      void *result = 0;
      expect(pthread_create(&thread, 0, short_lived, text) == 0, "create");
      expect(pthread_join(thread, &result) == 0 && result == (void *)strlen(text), "join");
    }
    if (number == 1 && round % 100 == 50) {
      pid_t child = fork();
      if (child == 0) {
        free(malloc(100));
        pthread_t thread;
        void *result;
        if (pthread_create(&thread, 0, short_lived, "child") != 0 ||
            pthread_join(thread, &result) != 0 || result != (void *)5)
          _exit(3);
        _exit(4);
      }
      int status = 0;
      expect(waitpid(child, &status, 0) == child, "waitpid");
      expect(WIFEXITED(status) && WEXITSTATUS(status) == 4, "exit status of a child");
    }
    if (round % 50 == 0)
      pthread_barrier_wait(&barrier);
  }
  for (int i = 0; i < BLOCKS; i++)
    free(blocks[i]);
  return (void *)increments;
}

static void *race(void *argument) {
  racy++;
  return argument;
}

static void race_once(void) {
  pthread_t both[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&both[i], 0, race, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(both[i], 0);
}

static int is_given(int count, char **arguments, const char *word) {
  for (int i = 3; i < count; i++)
    if (strcmp(arguments[i], word) == 0)
      return 1;
  return 0;
}

int main(int count, char **arguments) {
  signal(SIGUSR1, on_signal);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, 0, THREADS);
  sem_init(&semaphore, 0, 1);
  if (pipe(ends) != 0)
    return 2;
  if (is_given(count, arguments, "race"))
    race_once();
  if (__racert_testing_internal_error)
    __racert_testing_internal_error((unsigned)atoi(arguments[1]), (unsigned)atoi(arguments[2]));
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, (void *)(i + 1));
  long increments = 0;
  for (int i = 0; i < THREADS; i++) {
    void *result = 0;
    pthread_join(threads[i], &result);
    increments += (long)result;
  }
  if (is_given(count, arguments, "late"))
    race_once();
  expect(increments == THREADS * ROUNDS, "rounds");
  expect(by_mutex == THREADS * ROUNDS, "mutex");
  expect(by_spin == THREADS * ROUNDS, "spin lock");
  expect(by_rwlock == THREADS * (ROUNDS - ROUNDS / 3), "rwlock");
  expect(by_semaphore == THREADS * ROUNDS, "semaphore");
  expect(by_atomic == THREADS * ROUNDS, "atomic add");
  expect(by_exchange == THREADS * ROUNDS - 1, "atomic exchange");
  expect(handed == ROUNDS * (THREADS * (THREADS + 1) / 2), "compare and exchange");
  expect(tokens == 0, "condition variable");
  puts(wrong ? "incomplete" : "complete");
  return 0;
}
