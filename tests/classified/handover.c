#include <semaphore.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "classified.h"

// case flag_under_lock: no race [conflict_edges=0 msm-short eraser]
// The second touches the data only if the first has said it is done.
MUTEX(flag_m);
int flag_x, flag_done;
PAIR(flag_under_lock)
static void flag_under_lock_1(void) {
  flag_x = 1;
  LOCK(flag_m);
  flag_done = 1;
  UNLOCK(flag_m);
}
static void flag_under_lock_2(void) {
  LOCK(flag_m);
  int done = flag_done;
  UNLOCK(flag_m);
  if (done) flag_x = 2;
}

// case flag_set_too_early: race [fast msm-long]
MUTEX(too_early_m);
int too_early_x, too_early_done;
PAIR(flag_set_too_early)
static void flag_set_too_early_1(void) {
  LOCK(too_early_m);
  too_early_done = 1;
  UNLOCK(too_early_m);
  too_early_x = 1;
}
static void flag_set_too_early_2(void) {
  LOCK(too_early_m);
  int done = too_early_done;
  UNLOCK(too_early_m);
  if (done) too_early_x = 2;
}

// case message_queue: no race [conflict_edges=0 msm-short eraser]
// Items change hands through a queue behind a mutex.
enum { ITEMS = 8 };
MUTEX(queue_m);
int *queue_items[ITEMS];
int queue_head, queue_tail;
NOINLINE static void queue_put(int *item) {
  LOCK(queue_m);
  queue_items[queue_tail++] = item;
  UNLOCK(queue_m);
}
NOINLINE static int *queue_get(void) {
  LOCK(queue_m);
  int *item = queue_head < queue_tail ? queue_items[queue_head++] : NULL;
  UNLOCK(queue_m);
  return item;
}
PAIR(message_queue)
static void message_queue_1(void) {
  for (int i = 0; i < ITEMS; ++i) {
    int *item = (int *)malloc(sizeof(int));
    *item = i;
    queue_put(item);
  }
}
static void message_queue_2(void) {
  for (int *item; (item = queue_get());) {
    *item += 1;
    free(item);
  }
}

// case used_after_put: race [hb fast msm-long]
// The giver touches the item again, before a lock that the taker takes later.
MUTEX(after_m);
MUTEX(after_other);
int after_item, *after_slot;
PAIR(used_after_put)
static void used_after_put_1(void) {
  after_item = 1;
  LOCK(after_m);
  after_slot = &after_item;
  UNLOCK(after_m);
  after_item = 2;
  LOCK(after_other);
  UNLOCK(after_other);
}
static void used_after_put_2(void) {
  LOCK(after_m);
  int *item = after_slot;
  UNLOCK(after_m);
  LOCK(after_other);
  UNLOCK(after_other);
  if (item) *item = 3;
}

// case pool_of_threads: no race [eraser]
// The thread exists before the request, which comes through a queue that one
// waits on with a condition variable.
MUTEX(pool_m);
static pthread_cond_t pool_c = PTHREAD_COND_INITIALIZER;
int *pool_request, pool_quit;
NOINLINE static void *pool_thread(void *argument) {
  for (;;) {
    LOCK(pool_m);
    while (!pool_request && !pool_quit) pthread_cond_wait(&pool_c, &pool_m);
    int *request = pool_request;
    pool_request = NULL;
    pthread_cond_broadcast(&pool_c);
    UNLOCK(pool_m);
    if (!request) return argument;
    *request += 1;
    free(request);
  }
}
CASE(pool_of_threads) {
  pthread_t thread;
  pthread_create(&thread, NULL, pool_thread, NULL);
  for (int i = 0; i < 3; ++i) {
    int *request = (int *)malloc(sizeof(int));
    *request = i;
    LOCK(pool_m);
    while (pool_request) pthread_cond_wait(&pool_c, &pool_m);
    pool_request = request;
    pthread_cond_broadcast(&pool_c);
    UNLOCK(pool_m);
  }
  LOCK(pool_m);
  while (pool_request) pthread_cond_wait(&pool_c, &pool_m);
  pool_quit = 1;
  pthread_cond_broadcast(&pool_c);
  UNLOCK(pool_m);
  pthread_join(thread, NULL);
}

// case reference_count: no race [conflict_edges=0 msm-short eraser]
// Counted under a mutex; whoever gives up the last one cleans up.
MUTEX(count_m);
int count_references = 2, count_object;
NOINLINE static void count_release(void) {
  count_object += 0;
  LOCK(count_m);
  int left = --count_references;
  UNLOCK(count_m);
  if (left == 0) count_object = -1;
}
PAIR(reference_count)
static void reference_count_1(void) {
  CONSUME(count_object);
  count_release();
}
static void reference_count_2(void) { count_release(); }

// case reference_count_unlocked: race [fast msm-long]
// The counter itself is not guarded.
int unlocked_references = 2;
NOINLINE static void unlocked_release(void) {
  if (--unlocked_references == 0) CONSUME(unlocked_references);
}
CASE(reference_count_unlocked) { run_two(unlocked_release, unlocked_release); }

// case semaphore: no race [eraser]
static sem_t sem_s;
int sem_x;
NOINLINE static void sem_first(void) {
  sem_x = 1;
  sem_post(&sem_s);
}
NOINLINE static void sem_second(void) {
  sem_wait(&sem_s);
  sem_x = 2;
}
CASE(semaphore) {
  sem_init(&sem_s, 0, 0);
  run_two(sem_first, sem_second);
}

// case semaphore_posted_too_early: race [fast msm-long]
static sem_t posted_s;
int posted_x;
NOINLINE static void posted_first(void) {
  sem_post(&posted_s);
  posted_x = 1;
}
NOINLINE static void posted_second(void) {
  sem_wait(&posted_s);
  posted_x = 2;
}
CASE(semaphore_posted_too_early) {
  sem_init(&posted_s, 0, 0);
  run_two(posted_first, posted_second);
}

// case barrier: no race [eraser]
static pthread_barrier_t barrier_b;
int barrier_x[2], barrier_sum;
NOINLINE static void *barrier_body(void *argument) {
  int own = *(int *)argument;
  for (int round = 0; round < 3; ++round) {
    barrier_x[own] = round;
    pthread_barrier_wait(&barrier_b);
    CONSUME(barrier_x[1 - own]);
    if (own == 0) barrier_sum += 1;
    pthread_barrier_wait(&barrier_b);
  }
  return NULL;
}
CASE(barrier) {
  pthread_barrier_init(&barrier_b, NULL, 2);
  int numbers[2] = {0, 1};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, barrier_body, &numbers[0]);
  pthread_create(&threads[1], NULL, barrier_body, &numbers[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

// case barrier_same_phase: race [fast msm-long]
static pthread_barrier_t phase_b;
int phase_x;
NOINLINE static void *phase_one(void *argument) {
  pthread_barrier_wait(&phase_b);
  phase_x = 1;
  take_step();
  pthread_barrier_wait(&phase_b);
  return argument;
}
NOINLINE static void *phase_two(void *argument) {
  pthread_barrier_wait(&phase_b);
  wait_for_step(1);
  phase_x = 2;
  pthread_barrier_wait(&phase_b);
  return argument;
}
CASE(barrier_same_phase) {
  pthread_barrier_init(&phase_b, NULL, 2);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, phase_one, NULL);
  pthread_create(&threads[1], NULL, phase_two, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

// case once: no race
static pthread_once_t once_o = PTHREAD_ONCE_INIT;
int once_x;
NOINLINE static void once_init(void) { once_x = 1; }
NOINLINE static void once_use(void) {
  pthread_once(&once_o, once_init);
  CONSUME(once_x);
}
CASE(once) { run_two(once_use, once_use); }

// case once_bypassed: race [fast msm-long eraser]
static pthread_once_t bypassed_o = PTHREAD_ONCE_INIT;
int bypassed_x;
NOINLINE static void bypassed_init(void) { bypassed_x = 1; }
PAIR(once_bypassed)
static void once_bypassed_1(void) { pthread_once(&bypassed_o, bypassed_init); }
static void once_bypassed_2(void) { CONSUME(bypassed_x); }

// case pipe_message: no race [eraser]
int pipe_ends[2], pipe_x;
NOINLINE static void pipe_send(void) {
  pipe_x = 1;
  if (write(pipe_ends[1], "x", 1) != 1) abort();
}
NOINLINE static void pipe_receive(void) {
  char byte;
  if (read(pipe_ends[0], &byte, 1) != 1) abort();
  pipe_x = 2;
}
CASE(pipe_message) {
  if (pipe(pipe_ends)) abort();
  run_two(pipe_send, pipe_receive);
}

// case socket_message: no race [eraser]
int socket_ends[2], socket_x;
NOINLINE static void socket_send(void) {
  socket_x = 1;
  if (send(socket_ends[1], "x", 1, 0) != 1) abort();
}
NOINLINE static void socket_receive(void) {
  char byte;
  if (recv(socket_ends[0], &byte, 1, 0) != 1) abort();
  socket_x = 2;
}
CASE(socket_message) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, socket_ends)) abort();
  run_two(socket_send, socket_receive);
}

// case static_buffer: race [fast msm-long]
// Functions that return a pointer to memory of the C library's own.
NOINLINE static void buffer_use(void) {
  time_t when = 0;
  struct tm parts;
  gmtime_r(&when, &parts);
  CONSUME(asctime(&parts)[0]);
}
CASE(static_buffer) { run_two(buffer_use, buffer_use); }
