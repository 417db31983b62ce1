#include <time.h>

#include "classified.h"

// case wait_first: no race [eraser]
MUTEX(wait_m);
static pthread_cond_t wait_c = PTHREAD_COND_INITIALIZER;
int wait_data, wait_flag;
NOINLINE static void *wait_consumer(void *argument) {
  LOCK(wait_m);
  take_step();
  while (!wait_flag) pthread_cond_wait(&wait_c, &wait_m);
  UNLOCK(wait_m);
  wait_data += 1;
  return argument;
}
NOINLINE static void *wait_producer(void *argument) {
  wait_data += 1;
  wait_for_step(1);
  LOCK(wait_m);
  wait_flag = 1;
  pthread_cond_signal(&wait_c);
  UNLOCK(wait_m);
  return argument;
}
CASE(wait_first) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_consumer, NULL);
  pthread_create(&b, NULL, wait_producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

// case lost_signal: no race [eraser]
// The signal comes before anybody waits, so nobody does.
MUTEX(lost_m);
static pthread_cond_t lost_c = PTHREAD_COND_INITIALIZER;
int lost_data, lost_flag;
PAIR(lost_signal)
static void lost_signal_1(void) {
  lost_data += 1;
  LOCK(lost_m);
  lost_flag = 1;
  pthread_cond_signal(&lost_c);
  UNLOCK(lost_m);
}
static void lost_signal_2(void) {
  LOCK(lost_m);
  while (lost_flag != 1) pthread_cond_wait(&lost_c, &lost_m);
  UNLOCK(lost_m);
  lost_data += 1;
}

// case written_after_signal: race [fast msm-long]
MUTEX(after_m);
static pthread_cond_t after_c = PTHREAD_COND_INITIALIZER;
int after_data, after_flag;
PAIR(written_after_signal)
static void written_after_signal_1(void) {
  LOCK(after_m);
  after_flag = 1;
  pthread_cond_signal(&after_c);
  UNLOCK(after_m);
  after_data += 1;
}
static void written_after_signal_2(void) {
  LOCK(after_m);
  while (!after_flag) pthread_cond_wait(&after_c, &after_m);
  UNLOCK(after_m);
  after_data += 1;
}

// One condition variable for two conditions, each with data of its own. Both
// have signalled before anybody looks.
MUTEX(shared_m);
static pthread_cond_t shared_c = PTHREAD_COND_INITIALIZER;
int shared_flags[2], shared_data[2];
NOINLINE static void shared_signal(int which) {
  shared_data[which] += 1;
  LOCK(shared_m);
  shared_flags[which] = 1;
  pthread_cond_broadcast(&shared_c);
  UNLOCK(shared_m);
}
NOINLINE static void shared_wait(int which, int used) {
  LOCK(shared_m);
  while (!shared_flags[which]) pthread_cond_wait(&shared_c, &shared_m);
  UNLOCK(shared_m);
  shared_data[used] += 1;
}
NOINLINE static void *shared_signal_0(void *argument) {
  wait_for_step(0);
  shared_signal(0);
  take_step();
  return argument;
}
NOINLINE static void *shared_signal_1(void *argument) {
  wait_for_step(1);
  shared_signal(1);
  take_step();
  return argument;
}
NOINLINE static void *shared_wait_right(void *argument) {
  wait_for_step(2);
  shared_wait(0, 0);
  take_step();
  return argument;
}
NOINLINE static void *shared_wait_wrong(void *argument) {
  wait_for_step(2);
  shared_wait(0, 1);
  take_step();
  return argument;
}
static void three(void *(*one)(void *), void *(*two)(void *), void *(*three)(void *)) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  pthread_create(&threads[2], NULL, three, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

// case two_conditions: no race [eraser]
CASE(two_conditions) { three(shared_signal_0, shared_signal_1, shared_wait_right); }

// case wrong_condition: race [hb fast msm-long]
// Waits for one condition and uses the data of the other.
CASE(wrong_condition) { three(shared_signal_0, shared_signal_1, shared_wait_wrong); }

// case broadcast: no race
MUTEX(broadcast_m);
static pthread_cond_t broadcast_c = PTHREAD_COND_INITIALIZER;
int broadcast_data, broadcast_go;
NOINLINE static void *broadcast_wait(void *argument) {
  LOCK(broadcast_m);
  take_step();
  while (!broadcast_go) pthread_cond_wait(&broadcast_c, &broadcast_m);
  UNLOCK(broadcast_m);
  CONSUME(broadcast_data);
  return argument;
}
NOINLINE static void *broadcast_send(void *argument) {
  wait_for_step(2);
  broadcast_data = 1;
  LOCK(broadcast_m);
  broadcast_go = 1;
  pthread_cond_broadcast(&broadcast_c);
  UNLOCK(broadcast_m);
  return argument;
}
CASE(broadcast) { three(broadcast_wait, broadcast_wait, broadcast_send); }

// case signal_outside_lock: no race [eraser]
MUTEX(outside_m);
static pthread_cond_t outside_c = PTHREAD_COND_INITIALIZER;
int outside_data, outside_flag;
PAIR(signal_outside_lock)
static void signal_outside_lock_1(void) {
  outside_data = 1;
  LOCK(outside_m);
  outside_flag = 1;
  UNLOCK(outside_m);
  pthread_cond_signal(&outside_c);
}
static void signal_outside_lock_2(void) {
  LOCK(outside_m);
  while (!outside_flag) pthread_cond_wait(&outside_c, &outside_m);
  UNLOCK(outside_m);
  outside_data = 2;
}

// case wait_timed_out: race [fast msm-long]
// The wait ends because the time is up, not because of the other thread.
MUTEX(timed_m);
static pthread_cond_t timed_c = PTHREAD_COND_INITIALIZER;
int timed_data;
PAIR(wait_timed_out)
static void wait_timed_out_1(void) { timed_data = 1; }
static void wait_timed_out_2(void) {
  struct timespec now = {0, 0};
  LOCK(timed_m);
  pthread_cond_timedwait(&timed_c, &timed_m, &now);
  UNLOCK(timed_m);
  timed_data = 2;
}

// case ping_pong: no race [eraser]
// The data goes to and fro, guarded by whose turn it is.
MUTEX(ping_m);
static pthread_cond_t ping_c = PTHREAD_COND_INITIALIZER;
int ping_turn, ping_data;
NOINLINE static void *ping(void *argument) {
  int own = *(int *)argument;
  for (int i = 0; i < 5; ++i) {
    LOCK(ping_m);
    while (ping_turn != own) pthread_cond_wait(&ping_c, &ping_m);
    UNLOCK(ping_m);
    ping_data += 1;
    LOCK(ping_m);
    ping_turn = 1 - own;
    pthread_cond_broadcast(&ping_c);
    UNLOCK(ping_m);
  }
  return NULL;
}
CASE(ping_pong) {
  int numbers[2] = {0, 1};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, ping, &numbers[0]);
  pthread_create(&threads[1], NULL, ping, &numbers[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
