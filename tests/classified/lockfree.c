#include "classified.h"

#define LOAD(x, order) __atomic_load_n(&x, __ATOMIC_##order)
#define STORE(x, value, order) __atomic_store_n(&x, value, __ATOMIC_##order)

// case publication: no race [eraser]
int publication_x, publication_ready;
PAIR(publication)
static void publication_1(void) {
  publication_x = 1;
  STORE(publication_ready, 1, RELEASE);
}
static void publication_2(void) {
  if (LOAD(publication_ready, ACQUIRE)) publication_x = 2;
}

// case relaxed_publication: race [fast msm-long]
int relaxed_x, relaxed_ready;
PAIR(relaxed_publication)
static void relaxed_publication_1(void) {
  relaxed_x = 1;
  STORE(relaxed_ready, 1, RELAXED);
}
static void relaxed_publication_2(void) {
  if (LOAD(relaxed_ready, RELAXED)) relaxed_x = 2;
}

// case published_too_early: race [fast msm-long]
int early_x, early_ready;
PAIR(published_too_early)
static void published_too_early_1(void) {
  STORE(early_ready, 1, RELEASE);
  early_x = 1;
}
static void published_too_early_2(void) {
  if (LOAD(early_ready, ACQUIRE)) early_x = 2;
}

// case fences: no race [eraser]
int fences_x, fences_ready;
PAIR(fences)
static void fences_1(void) {
  fences_x = 1;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  STORE(fences_ready, 1, RELAXED);
}
static void fences_2(void) {
  if (!LOAD(fences_ready, RELAXED)) return;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  fences_x = 2;
}

// case atomic_counter: no race
int counter_x;
NOINLINE static void counter(void) { __atomic_fetch_add(&counter_x, 1, __ATOMIC_RELAXED); }
CASE(atomic_counter) { run_two(counter, counter); }

// case half_atomic: race [fast msm-long]
// One side is atomic, the other is not.
int half_x;
PAIR(half_atomic)
static void half_atomic_1(void) { __atomic_fetch_add(&half_x, 1, __ATOMIC_SEQ_CST); }
static void half_atomic_2(void) { half_x += 1; }

// case plain_read_of_atomic: race [fast msm-long eraser]
int plain_x;
PAIR(plain_read_of_atomic)
static void plain_read_of_atomic_1(void) { __atomic_fetch_add(&plain_x, 1, __ATOMIC_SEQ_CST); }
static void plain_read_of_atomic_2(void) { CONSUME(plain_x); }

// case atomic_reference_count: no race [eraser]
int count_references = 2, count_object;
NOINLINE static void count_release(void) {
  CONSUME(count_object);
  if (__atomic_sub_fetch(&count_references, 1, __ATOMIC_ACQ_REL) == 0) count_object = -1;
}
CASE(atomic_reference_count) { run_two(count_release, count_release); }

// case relaxed_reference_count: race [fast msm-long]
// Nothing orders the last one after the others.
int loose_references = 2, loose_object;
NOINLINE static void loose_release(void) {
  CONSUME(loose_object);
  if (__atomic_sub_fetch(&loose_references, 1, __ATOMIC_RELAXED) == 0) loose_object = -1;
}
CASE(relaxed_reference_count) { run_two(loose_release, loose_release); }

// case spin_lock_of_atomics: no race [eraser]
int spin_taken, spin_x;
NOINLINE static void spin(void) {
  while (__atomic_exchange_n(&spin_taken, 1, __ATOMIC_ACQUIRE)) {
  }
  spin_x += 1;
  STORE(spin_taken, 0, RELEASE);
}
CASE(spin_lock_of_atomics) { run_two(spin, spin); }

// case double_checked: race [fast msm-long eraser]
MUTEX(double_m);
int double_ready, double_x;
NOINLINE static void double_init(void) {
  if (!double_ready) {
    LOCK(double_m);
    if (!double_ready) {
      double_x = 1;
      double_ready = 1;
    }
    UNLOCK(double_m);
  }
  CONSUME(double_x);
}
CASE(double_checked) { run_two(double_init, double_init); }

// case double_checked_atomic: no race
MUTEX(checked_m);
int checked_ready, checked_x;
NOINLINE static void checked_init(void) {
  if (!LOAD(checked_ready, ACQUIRE)) {
    LOCK(checked_m);
    if (!LOAD(checked_ready, RELAXED)) {
      checked_x = 1;
      STORE(checked_ready, 1, RELEASE);
    }
    UNLOCK(checked_m);
  }
  CONSUME(checked_x);
}
CASE(double_checked_atomic) { run_two(checked_init, checked_init); }

// case plain_flag: race [fast]
// A loop that spins on an ordinary variable.
volatile int plain_done;
int plain_data;
PAIR(plain_flag)
static void plain_flag_1(void) {
  plain_data = 1;
  plain_done = 1;
}
static void plain_flag_2(void) {
  while (!plain_done) {
  }
  plain_data = 2;
}

// case atomic_flag: no race [eraser]
int flag_done, flag_data;
PAIR(atomic_flag)
static void atomic_flag_1(void) {
  flag_data = 1;
  STORE(flag_done, 1, RELEASE);
}
static void atomic_flag_2(void) {
  while (!LOAD(flag_done, ACQUIRE)) {
  }
  flag_data = 2;
}

// case unsafe_publication: race [fast msm-long eraser]
// A pointer to an object is published without synchronisation.
int *volatile unsafe_object;
PAIR(unsafe_publication)
static void unsafe_publication_1(void) {
  int *object = (int *)malloc(sizeof(int));
  *object = 1;
  unsafe_object = object;
}
static void unsafe_publication_2(void) {
  if (unsafe_object) CONSUME(*unsafe_object);
}

// case made_twice: race [fast msm-short msm-long eraser]
// Initialised by whoever finds it missing, without synchronisation.
int *made_object;
NOINLINE static void made(void) {
  if (!made_object) made_object = (int *)calloc(1, sizeof(int));
  CONSUME(*made_object);
}
CASE(made_twice) { run_two(made, made); }

// case lock_free_stack: no race [eraser]
struct node {
  struct node *next;
  int value;
};
struct node *stack_top;
PAIR(lock_free_stack)
static void lock_free_stack_1(void) {
  struct node *node = (struct node *)malloc(sizeof *node);
  node->value = 1;
  node->next = LOAD(stack_top, RELAXED);
  while (!__atomic_compare_exchange_n(&stack_top, &node->next, node, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}
static void lock_free_stack_2(void) {
  struct node *node = __atomic_exchange_n(&stack_top, NULL, __ATOMIC_ACQUIRE);
  if (!node) return;
  node->value += 1;
  free(node);
}

// case hidden_by_counter: race [fast msm-long]
// An unrelated atomic counter, relaxed, orders nothing.
int hidden_counter, hidden_x;
PAIR(hidden_by_counter)
static void hidden_by_counter_1(void) {
  hidden_x = 1;
  __atomic_fetch_add(&hidden_counter, 1, __ATOMIC_RELAXED);
}
static void hidden_by_counter_2(void) {
  __atomic_fetch_add(&hidden_counter, 1, __ATOMIC_RELAXED);
  hidden_x = 2;
}
