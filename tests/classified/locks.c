#include "classified.h"

// case rwlock: no race
static pthread_rwlock_t rwlock_l = PTHREAD_RWLOCK_INITIALIZER;
int rwlock_x;
PAIR(rwlock)
static void rwlock_1(void) {
  pthread_rwlock_wrlock(&rwlock_l);
  rwlock_x += 1;
  pthread_rwlock_unlock(&rwlock_l);
}
static void rwlock_2(void) {
  pthread_rwlock_rdlock(&rwlock_l);
  CONSUME(rwlock_x);
  pthread_rwlock_unlock(&rwlock_l);
}

// case write_under_reader_lock: race [fast msm-long]
static pthread_rwlock_t reader_l = PTHREAD_RWLOCK_INITIALIZER;
int reader_x;
PAIR(write_under_reader_lock)
static void write_under_reader_lock_1(void) {
  pthread_rwlock_rdlock(&reader_l);
  reader_x += 1;
  pthread_rwlock_unlock(&reader_l);
}
static void write_under_reader_lock_2(void) {
  pthread_rwlock_rdlock(&reader_l);
  reader_x += 1;
  pthread_rwlock_unlock(&reader_l);
}

// case read_under_reader_lock: no race
static pthread_rwlock_t readers_l = PTHREAD_RWLOCK_INITIALIZER;
int readers_x;
PAIR(read_under_reader_lock)
static void read_under_reader_lock_1(void) {
  pthread_rwlock_rdlock(&readers_l);
  CONSUME(readers_x);
  pthread_rwlock_unlock(&readers_l);
}
static void read_under_reader_lock_2(void) {
  pthread_rwlock_rdlock(&readers_l);
  CONSUME(readers_x);
  pthread_rwlock_unlock(&readers_l);
}

// case rwlock_both_ways: no race
// Read under the reader lock, then written under the writer lock.
static pthread_rwlock_t both_l = PTHREAD_RWLOCK_INITIALIZER;
int both_x;
NOINLINE static void both(void) {
  pthread_rwlock_rdlock(&both_l);
  int seen = both_x;
  pthread_rwlock_unlock(&both_l);
  pthread_rwlock_wrlock(&both_l);
  both_x = seen + 1;
  pthread_rwlock_unlock(&both_l);
}
CASE(rwlock_both_ways) { run_two(both, both); }

// case hidden_by_reader_lock: race [hb fast msm-long]
// A reader and a writer of a lock that guards something else.
static pthread_rwlock_t hidden_l = PTHREAD_RWLOCK_INITIALIZER;
int hidden_x;
PAIR(hidden_by_reader_lock)
static void hidden_by_reader_lock_1(void) {
  hidden_x = 1;
  pthread_rwlock_wrlock(&hidden_l);
  pthread_rwlock_unlock(&hidden_l);
}
static void hidden_by_reader_lock_2(void) {
  pthread_rwlock_rdlock(&hidden_l);
  pthread_rwlock_unlock(&hidden_l);
  hidden_x = 2;
}

// case spin_lock: no race
static pthread_spinlock_t spin_l;
int spin_x;
NOINLINE static void spin(void) {
  pthread_spin_lock(&spin_l);
  spin_x += 1;
  pthread_spin_unlock(&spin_l);
}
CASE(spin_lock) {
  pthread_spin_init(&spin_l, 0);
  run_two(spin, spin);
}

// case trylock: no race
MUTEX(try_m);
int try_x;
NOINLINE static void try_it(void) {
  if (pthread_mutex_trylock(&try_m)) return;
  try_x += 1;
  UNLOCK(try_m);
}
CASE(trylock) { run_two(try_it, try_it); }

// case trylock_failed: race [fast msm-long]
// The second does not get the lock and goes on as if it had.
MUTEX(failed_m);
int failed_x;
NOINLINE static void *failed_owner(void *argument) {
  LOCK(failed_m);
  failed_x = 1;
  take_step();
  wait_for_step(2);
  UNLOCK(failed_m);
  return argument;
}
NOINLINE static void *failed_other(void *argument) {
  wait_for_step(1);
  if (pthread_mutex_trylock(&failed_m)) failed_x = 2;
  take_step();
  return argument;
}
CASE(trylock_failed) {
  pthread_t a, b;
  pthread_create(&a, NULL, failed_owner, NULL);
  pthread_create(&b, NULL, failed_other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

// case recursive: no race
static pthread_mutex_t recursive_m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int recursive_x;
NOINLINE static void recursive_body(void) {
  LOCK(recursive_m);
  LOCK(recursive_m);
  UNLOCK(recursive_m);
  recursive_x += 1;
  UNLOCK(recursive_m);
}
CASE(recursive) { run_two(recursive_body, recursive_body); }

// case unlocked_too_early: race [fast msm-short msm-long]
MUTEX(early_m);
int early_x;
NOINLINE static void early_body(void) {
  LOCK(early_m);
  int seen = early_x;
  UNLOCK(early_m);
  early_x = seen + 1;
}
CASE(unlocked_too_early) { run_two(early_body, early_body); }

// case own_mutex_each: race [fast msm-short msm-long eraser]
// Each thread locks a mutex of its own.
int own_x;
NOINLINE static void own_body(void) {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  LOCK(own);
  own_x += 1;
  UNLOCK(own);
}
CASE(own_mutex_each) { run_two(own_body, own_body); }

// case lock_changed_later: no race [eraser]
// Guarded by one lock, then, once all threads were joined, by another.
MUTEX(changed_a);
MUTEX(changed_b);
int changed_x;
NOINLINE static void changed_one(void) {
  LOCK(changed_a);
  changed_x += 1;
  UNLOCK(changed_a);
}
NOINLINE static void changed_two(void) {
  LOCK(changed_b);
  changed_x += 1;
  UNLOCK(changed_b);
}
CASE(lock_changed_later) {
  pthread_t threads[2];
  struct actor actors[4] = {{changed_one, 0}, {changed_one, 1}, {changed_two, 2}, {changed_two, 3}};
  for (int i = 0; i < 4; i += 2) {
    pthread_create(&threads[0], NULL, act, &actors[i]);
    pthread_create(&threads[1], NULL, act, &actors[i + 1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
  }
}
