#include "classified.h"

// case two_writes: race [fast msm-long]
int two_writes_x;
PAIR(two_writes)
static void two_writes_1(void) { two_writes_x = 1; }
static void two_writes_2(void) { two_writes_x = 2; }

// case write_read: race [fast msm-long eraser]
int write_read_x;
PAIR(write_read)
static void write_read_1(void) { write_read_x = 1; }
static void write_read_2(void) { CONSUME(write_read_x); }

// case read_write: race [fast msm-long]
int read_write_x;
PAIR(read_write)
static void read_write_1(void) { CONSUME(read_write_x); }
static void read_write_2(void) { read_write_x = 1; }

// case two_reads: no race
int two_reads_x;
PAIR(two_reads)
static void two_reads_1(void) { CONSUME(two_reads_x); }
static void two_reads_2(void) { CONSUME(two_reads_x); }

// case again_and_again: race
// Two threads take turns, without any lock.
int again_x;
NOINLINE static void *again_even(void *argument) {
  for (int i = 0; i < 20; i += 2) {
    wait_for_step(i);
    again_x += 1;
    take_step();
  }
  return argument;
}
NOINLINE static void *again_odd(void *argument) {
  for (int i = 1; i < 20; i += 2) {
    wait_for_step(i);
    again_x += 1;
    take_step();
  }
  return argument;
}
CASE(again_and_again) {
  pthread_t a, b;
  pthread_create(&a, NULL, again_even, NULL);
  pthread_create(&b, NULL, again_odd, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

// case one_side_locked: race [fast msm-long]
// The locked access comes first.
MUTEX(one_side_m);
int one_side_x;
PAIR(one_side_locked)
static void one_side_locked_1(void) {
  LOCK(one_side_m);
  one_side_x = 1;
  UNLOCK(one_side_m);
}
static void one_side_locked_2(void) { one_side_x = 2; }

// case other_side_locked: race [fast msm-short msm-long eraser]
// The first access, without a lock, then one under a lock that guards nothing.
MUTEX(other_side_m);
int other_side_x;
PAIR(other_side_locked)
static void other_side_locked_1(void) { other_side_x = 1; }
static void other_side_locked_2(void) {
  LOCK(other_side_m);
  other_side_x = 2;
  UNLOCK(other_side_m);
}

// case different_locks: race [fast msm-short msm-long eraser]
MUTEX(different_a);
MUTEX(different_b);
int different_x;
PAIR(different_locks)
static void different_locks_1(void) {
  LOCK(different_a);
  different_x = 1;
  UNLOCK(different_a);
}
static void different_locks_2(void) {
  LOCK(different_b);
  different_x = 2;
  UNLOCK(different_b);
}

// case same_lock: no race
MUTEX(same_m);
int same_x;
PAIR(same_lock)
static void same_lock_1(void) {
  LOCK(same_m);
  same_x += 1;
  UNLOCK(same_m);
}
static void same_lock_2(void) {
  LOCK(same_m);
  same_x += 1;
  UNLOCK(same_m);
}

// case inner_lock: no race
MUTEX(inner_a);
MUTEX(inner_b);
int inner_x;
PAIR(inner_lock)
static void inner_lock_1(void) {
  LOCK(inner_a);
  LOCK(inner_b);
  inner_x += 1;
  UNLOCK(inner_b);
  UNLOCK(inner_a);
}
static void inner_lock_2(void) {
  LOCK(inner_b);
  inner_x += 1;
  UNLOCK(inner_b);
}

// case pairwise_locks: no race
// Three threads, each two of which have a lock in common.
MUTEX(pair_a);
MUTEX(pair_b);
MUTEX(pair_c);
int pair_x;
NOINLINE static void *pair_ab(void *argument) {
  wait_for_step(0);
  LOCK(pair_a);
  LOCK(pair_b);
  pair_x += 1;
  UNLOCK(pair_b);
  UNLOCK(pair_a);
  take_step();
  return argument;
}
NOINLINE static void *pair_bc(void *argument) {
  wait_for_step(1);
  LOCK(pair_b);
  LOCK(pair_c);
  pair_x += 1;
  UNLOCK(pair_c);
  UNLOCK(pair_b);
  take_step();
  return argument;
}
NOINLINE static void *pair_ac(void *argument) {
  wait_for_step(2);
  LOCK(pair_a);
  LOCK(pair_c);
  pair_x += 1;
  UNLOCK(pair_c);
  UNLOCK(pair_a);
  return argument;
}
CASE(pairwise_locks) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, pair_ab, NULL);
  pthread_create(&threads[1], NULL, pair_bc, NULL);
  pthread_create(&threads[2], NULL, pair_ac, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

// case read_locked_write_bare: race [fast msm-long]
MUTEX(read_locked_m);
int read_locked_x;
PAIR(read_locked_write_bare)
static void read_locked_write_bare_1(void) {
  LOCK(read_locked_m);
  CONSUME(read_locked_x);
  UNLOCK(read_locked_m);
}
static void read_locked_write_bare_2(void) { read_locked_x = 1; }

// case hidden_by_lock: race [hb fast msm-long]
// Only the order in which the two took an unrelated lock orders them.
MUTEX(hidden_m);
int hidden_x;
PAIR(hidden_by_lock)
static void hidden_by_lock_1(void) {
  hidden_x = 1;
  LOCK(hidden_m);
  UNLOCK(hidden_m);
}
static void hidden_by_lock_2(void) {
  LOCK(hidden_m);
  UNLOCK(hidden_m);
  hidden_x = 2;
}

// case hidden_under_lock: race [hb fast msm-short msm-long eraser]
// Both hold a lock, but not the same; a third orders them by chance.
MUTEX(under_a);
MUTEX(under_b);
int under_x;
PAIR(hidden_under_lock)
static void hidden_under_lock_1(void) {
  LOCK(under_a);
  under_x = 1;
  UNLOCK(under_a);
}
static void hidden_under_lock_2(void) {
  LOCK(under_a);
  UNLOCK(under_a);
  LOCK(under_b);
  under_x = 2;
  UNLOCK(under_b);
}

// case hidden_by_data: race [hb fast msm-long eraser]
// The lock guards data of its own, which the two sections do not share.
MUTEX(by_data_m);
int by_data_x, by_data_one, by_data_other;
PAIR(hidden_by_data)
static void hidden_by_data_1(void) {
  by_data_x = 1;
  LOCK(by_data_m);
  by_data_one = 1;
  UNLOCK(by_data_m);
}
static void hidden_by_data_2(void) {
  LOCK(by_data_m);
  by_data_other = 1;
  UNLOCK(by_data_m);
  CONSUME(by_data_x);
}

// case hidden_between_reads: race [hb fast msm-long]
// Two sections that only read the same do not conflict.
MUTEX(between_m);
int between_x, between_config;
PAIR(hidden_between_reads)
static void hidden_between_reads_1(void) {
  between_x = 1;
  LOCK(between_m);
  CONSUME(between_config);
  UNLOCK(between_m);
}
static void hidden_between_reads_2(void) {
  LOCK(between_m);
  CONSUME(between_config);
  UNLOCK(between_m);
  between_x = 2;
}

// case readers_then_writer: race [msm-long]
int readers_x;
NOINLINE static void *readers_read(void *argument) {
  CONSUME(readers_x);
  take_step();
  return argument;
}
NOINLINE static void *readers_write(void *argument) {
  wait_for_step(2);
  readers_x = 1;
  return argument;
}
CASE(readers_then_writer) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, readers_read, NULL);
  pthread_create(&threads[1], NULL, readers_read, NULL);
  pthread_create(&threads[2], NULL, readers_write, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

// case readers_joined: no race
int joined_x;
NOINLINE static void *joined_read(void *argument) {
  CONSUME(joined_x);
  return argument;
}
CASE(readers_joined) {
  pthread_t threads[2];
  for (int round = 0; round < 3; ++round) {
    pthread_create(&threads[0], NULL, joined_read, NULL);
    pthread_create(&threads[1], NULL, joined_read, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    joined_x += 1;
  }
}

// case locked_readers_then_locked_writer: no race
MUTEX(locked_readers_m);
int locked_readers_x;
NOINLINE static void *locked_readers_read(void *argument) {
  LOCK(locked_readers_m);
  CONSUME(locked_readers_x);
  UNLOCK(locked_readers_m);
  take_step();
  return argument;
}
NOINLINE static void *locked_readers_write(void *argument) {
  wait_for_step(2);
  LOCK(locked_readers_m);
  locked_readers_x = 1;
  UNLOCK(locked_readers_m);
  return argument;
}
CASE(locked_readers_then_locked_writer) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, locked_readers_read, NULL);
  pthread_create(&threads[1], NULL, locked_readers_read, NULL);
  pthread_create(&threads[2], NULL, locked_readers_write, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
