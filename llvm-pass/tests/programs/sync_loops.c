// Every shape of a loop that waits.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "sync_loops.h"

pthread_mutex_t m;
pthread_cond_t c;
struct timespec soon;
int ready, stop, other;
volatile int seen;

struct queue {
  pthread_mutex_t m;
  pthread_cond_t c;
  int n, closed;
  pthread_cond_t *elsewhere;
};
struct queue queue, *queues[2];
struct owner {
  struct queue *queue;
} owner, *somebody;

static void while_loop(void) {
  while (!ready)
    pthread_cond_wait(&c, &m);
}
static void for_loop(void) {
  for (; !ready; other++)
    pthread_cond_wait(&c, &m);
}
static void do_while(void) {
  if (!ready)
    do
      pthread_cond_wait(&c, &m);
    while (!ready);
}
static void goto_loop(void) {
again:
  if (!ready) {
    pthread_cond_wait(&c, &m);
    goto again;
  }
}
static void endless(void) {
  for (;;) {
    if (ready)
      return;
    pthread_cond_wait(&c, &m);
  }
}
static void two_exits(void) {
  for (;;) {
    if (ready)
      break;
    if (stop)
      return;
    pthread_cond_wait(&c, &m);
  }
  other = 2;
}
static void and_loop(struct queue *q) {
  while (q->n == 0 && !q->closed)
    pthread_cond_wait(&q->c, &q->m);
}
static void timeout_in_condition(void) {
  int rc = 0;
  while (!ready && rc == 0)
    rc = pthread_cond_timedwait(&c, &m, &soon);
}
static void timeout_break(void) {
  while (!ready)
    if (pthread_cond_clockwait(&c, &m, 0, &soon) == ETIMEDOUT)
      break;
}
static void timeout_ignored(void) {
  while (!ready)
    pthread_cond_timedwait(&c, &m, &soon);
}
static void interrupted(void) {
  while (!ready) {
    int rc;
    do
      rc = pthread_cond_timedwait(&c, &m, &soon);
    while (rc == EINTR);
    if (rc)
      return;
  }
}
static void woken_only(void) {
  while (!ready) {
    if (pthread_cond_timedwait(&c, &m, &soon) == 0)
      break;
  }
}
static void nested(struct queue *q) {
  for (int i = 0; i < 1; i++) {
    while (q->n == 0)
      pthread_cond_wait(&q->c, &q->m);
    other++;
  }
}
static void switched(struct queue *q) {
  for (;;)
    switch (q->n) {
    case 0:
      pthread_cond_wait(&q->c, &q->m);
      break;
    case 7:
      other++;
      continue;
    default:
      return;
    }
}
static void by_variable(struct queue *q) {
  int n = q->n;
  while (n == 0) {
    pthread_cond_wait(&q->c, &q->m);
    n = q->n;
  }
}
static void by_flag(struct queue *q) {
  int done = 0;
  while (!done) {
    if (q->n)
      done = 1;
    else
      pthread_cond_wait(&q->c, &q->m);
  }
}
static int is_filled(struct queue *q) { return q->n > 0; }
__attribute__((noinline)) static int is_filled_too(struct queue *q) { return is_filled(q); }
static void by_predicate(struct queue *q) {
  while (!is_filled(q))
    pthread_cond_wait(&q->c, &q->m);
}
static void by_deep_predicate(struct queue *q) {
  while (!is_filled_too(q))
    pthread_cond_wait(&q->c, &q->m);
}
int (*pointed)(struct queue *) = is_filled;
static void by_pointer(struct queue *q) {
  while (!pointed(q))
    pthread_cond_wait(&q->c, &q->m);
}
static void wait_for(struct queue *q) { pthread_cond_wait(&q->c, &q->m); }
__attribute__((noinline)) static int wait_deeper(int unused, struct queue *q) {
  (void)unused;
  wait_for(q);
  return 0;
}
static void by_wrapper(struct queue *q) {
  while (q->n == 0)
    wait_deeper(0, q);
}
static void wait_here(void) { pthread_cond_wait(&c, &m); }
static void by_fixed_wrapper(void) {
  while (!ready)
    wait_here();
}
static int timed(struct queue *q) { return pthread_cond_timedwait(&q->c, &q->m, &soon); }
static void by_timed_wrapper(struct queue *q) {
  while (q->n == 0)
    if (timed(q) != 0)
      return;
}
static inline __attribute__((always_inline)) void helper(struct queue *q) {
  while (q->n == 0)
    pthread_cond_wait(&q->c, &q->m);
}
static void in_helper(struct queue *q) { helper(q); }
static void indexed(int i) {
  while (queues[i]->n == 0)
    pthread_cond_wait(&queues[i]->c, &queues[i]->m);
}
static void owned(struct owner *o) {
  while (o->queue->n == 0)
    pthread_cond_wait(&o->queue->c, &o->queue->m);
}
// The address is not known to be readable unless the loop waits.
static void unsafe(void) {
  while (!ready)
    pthread_cond_wait(&somebody->queue->c, &m);
}
__attribute__((annotate("racert_wait(1,2)"))) int wait_elsewhere(int, void *, void *);
__attribute__((noinline, disable_sanitizer_instrumentation)) int wait_elsewhere(int n, void *condvar,
                                                                                void *mutex) {
  return (void)n, on_wait(condvar, mutex);
}
static void by_annotation(void) {
  while (!ready)
    wait_elsewhere(3, &c, &m);
}
int cnd_wait(void *, void *);
int cnd_timedwait(void *, void *, const struct timespec *);
void g_cond_wait(void *, void *);
int g_cond_wait_until(void *, void *, int64_t);
static void by_c11(void) {
  while (!ready)
    cnd_wait(&c, &m);
}
static void by_c11_timed(void) {
  while (!ready)
    if (cnd_timedwait(&c, &m, &soon) != 0)
      return;
}
static void by_glib(void) {
  while (!ready)
    g_cond_wait(&c, &m);
}
static void by_glib_until(void) {
  while (!ready)
    if (!g_cond_wait_until(&c, &m, 5))
      return;
}
static void attempts(void) {
  for (int i = 0; i < 3 && !ready; i++)
    pthread_cond_wait(&c, &m);
}
static void once(void) {
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(&c, &m);
  other++;
  pthread_mutex_unlock(&m);
}
// These may be called in a loop, look again, or just sleep.
static void only_waits(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
static int looks_again(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  int good = ready ? ++other : 0;
  pthread_mutex_unlock(&m);
  return good;
}
static void into_the_middle(int in) {
  if (in)
    goto middle;
again:
  other++;
middle:
  if (!ready) {
    pthread_cond_wait(&c, &m);
    goto again;
  }
}

static void spin_plain(void) {
  while (!ready)
    sched_yield();
}
static void spin_volatile(void) {
  while (!seen)
    sched_yield();
}
static void spin_relaxed(void) {
  while (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
    __builtin_ia32_pause();
    sched_yield();
  }
}
static void spin_do(void) {
  if (!seen)
    do
      sched_yield();
    while (!seen);
}
static void spin_limited(void) {
  for (int i = 0; i < 3 && !seen; i++)
    sched_yield();
}
static void spin_member(struct owner *o) {
  while (!o->queue->n)
    sched_yield();
}
static int was_seen(void) { return seen; }
static void spin_predicate(void) {
  while (!was_seen())
    sched_yield();
}
static void spin_slowly(void) {
  while (!seen) {
    nanosleep(&(struct timespec){0, 1}, 0);
    sched_yield();
    __asm__ volatile("pause" ::: "memory");
  }
}

// None of these is synchronisation.
static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
static int up_to_shared(struct queue *q) {
  int s = 0;
  for (int i = 0; i < q->n; i++)
    s += i;
  return s;
}
static int search(const int *a, int what) {
  int i = 0;
  while (a[i] != what)
    i++;
  return i;
}
struct node {
  struct node *next;
} nodes[3];
static struct node *last(struct node *node) {
  while (node->next)
    node = node->next;
  return node;
}
static int checked_once(void) { return seen ? ready : 0; }
static void acquires(void) {
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
    sched_yield();
}
static void writes(void) {
  while (!ready) {
    other++;
    sched_yield();
  }
}
static void takes(void) {
  while (__atomic_exchange_n(&other, 1, __ATOMIC_RELAXED))
    sched_yield();
}

#define RUN(call, set, result)                                                           \
  do {                                                                                   \
    ready = stop = other = 0, seen = 0;                                                  \
    queue.n = queue.closed = 0;                                                          \
    prepare(2, (int *)(set), result);                                                    \
    call;                                                                                \
  } while (0)
#define EXPECT(what, on, condvar, mutex, flags, ...)                                     \
  compare(&(struct expectation){#what, __LINE__, condvar, mutex, flags, {__VA_ARGS__}}, on)
// The condition comes true while waiting, and was true before.
#define BOTH(call, spin, set, condvar, mutex, flags, ...)                                \
  do {                                                                                   \
    RUN(call, set, 0);                                                                   \
    EXPECT(call, spin, condvar, mutex, flags, __VA_ARGS__);                              \
    ready = stop = other = 0, seen = 0, queue.n = queue.closed = 0;                      \
    prepare(1, 0, 0);                                                                    \
    *(int *)(set) = 1;                                                                   \
    call;                                                                                \
    EXPECT(call lost, spin, condvar, mutex, flags, __VA_ARGS__);                         \
  } while (0)
#define WAITS(call) BOTH(call, 0, &ready, &c, &m, 0, &ready)
#define QUEUE(call, flags) BOTH(call, 0, &queue.n, &queue.c, &queue.m, flags, &queue.n)
#define NOTHING(call, set, result)                                                       \
  do {                                                                                   \
    RUN(call, set, result);                                                              \
    if (waits.exits)                                                                     \
      wrong++, printf("line %d: %s: %d exits\n", __LINE__, #call, waits.exits);           \
  } while (0)
// A timeout: no hook, or one that says so.
#define UNORDERED_ONLY(call, set)                                                        \
  do {                                                                                   \
    RUN(call, set, ETIMEDOUT);                                                           \
    if (waits.exits > 1 || (waits.exits && !(waits.left[0].flags & UNORDERED)))          \
      wrong++, printf("line %d: %s: ordered\n", __LINE__, #call);                        \
  } while (0)

int main(void) {
  queues[0] = owner.queue = &queue;
  WAITS(while_loop());
  WAITS(for_loop());
  WAITS(do_while());
  WAITS(goto_loop());
  WAITS(endless());
  WAITS(two_exits());
  BOTH(two_exits(), 0, &stop, &c, &m, 0, &stop);
  QUEUE(nested(&queue), 0);
  QUEUE(switched(&queue), 0);
  QUEUE(by_variable(&queue), 0);
  QUEUE(by_flag(&queue), 0);
  QUEUE(and_loop(&queue), 0);
  BOTH(and_loop(&queue), 0, &queue.closed, &queue.c, &queue.m, 0, &queue.closed);
  WAITS(timeout_in_condition());
  WAITS(timeout_break());
  WAITS(timeout_ignored());
  WAITS(interrupted());
  UNORDERED_ONLY(timeout_in_condition(), 0);
  UNORDERED_ONLY(timeout_break(), 0);
  UNORDERED_ONLY(interrupted(), 0);
  UNORDERED_ONLY(by_timed_wrapper(&queue), 0);
  UNORDERED_ONLY(by_c11_timed(), 0);
  UNORDERED_ONLY(by_glib_until(), 0);
  RUN(woken_only(), 0, 0);
  EXPECT(woken_only, 0, &c, &m, WOKEN, 0);
  WAITS(by_c11());
  WAITS(by_c11_timed());
  WAITS(by_glib());
  WAITS(by_glib_until());
  WAITS(by_annotation());
  WAITS(by_fixed_wrapper());
  WAITS(attempts());
  UNORDERED_ONLY(attempts(), 0);
  QUEUE(by_wrapper(&queue), 0);
  QUEUE(by_timed_wrapper(&queue), 0);
  QUEUE(in_helper(&queue), 0);
  // What a predicate reads is noted only where reads reach the runtime.
  if (getenv("MOCK_MISS")) {
    QUEUE(by_predicate(&queue), NOTED);
    QUEUE(by_deep_predicate(&queue), NOTED);
    QUEUE(by_pointer(&queue), NOTED);
    BOTH(spin_predicate(), 1, &seen, 0, 0, NOTED, (void *)&seen);
  }
  BOTH(indexed(0), 0, &queue.n, &queue.c, &queue.m, 0, &queue.n, &queues[0]);
  BOTH(owned(&owner), 0, &queue.n, &queue.c, &queue.m, 0, &queue.n, &owner.queue);
  // Without having waited, the condition variable is looked up by the mutex.
  RUN((ready = 1, unsafe()), 0, 0);
  EXPECT(unsafe lost, 0, 0, &m, 0, &ready);
  somebody = &owner;
  RUN(unsafe(), &ready, 0);
  EXPECT(unsafe, 0, &queue.c, &m, 0, &ready);

  RUN((ready = 0, once()), 0, 0);
  if (waits.exits || waits.not_in_loop != 1)
    wrong++, printf("once: %d exits, %d\n", waits.exits, waits.not_in_loop);
  RUN(only_waits(), 0, 0);
  RUN((ready = 1, looks_again()), 0, 0);
  if (waits.not_in_loop != 0)
    wrong++, printf("harmless: %d\n", waits.not_in_loop);
  NOTHING(into_the_middle(1), &ready, 0);
  BOTH(spin_plain(), 1, &ready, 0, 0, 0, &ready);
  BOTH(spin_volatile(), 1, &seen, 0, 0, VOLATILE, (void *)&seen);
  BOTH(spin_relaxed(), 1, &ready, 0, 0, RELAXED, &ready);
  BOTH(spin_do(), 1, &seen, 0, 0, VOLATILE, (void *)&seen);
  BOTH(spin_limited(), 1, &seen, 0, 0, VOLATILE, (void *)&seen);
  BOTH(spin_slowly(), 1, &seen, 0, 0, VOLATILE, (void *)&seen);
  NOTHING(spin_limited(), 0, 0);
  NOTHING(sum((int[]){1, 2}, 2), 0, 0);
  NOTHING(up_to_shared(&queue), 0, 0);
  NOTHING(search((int[]){1, 2}, 2), 0, 0);
  NOTHING(last(nodes), 0, 0);
  NOTHING(checked_once(), 0, 0);
  NOTHING(acquires(), &ready, 0);
  NOTHING(writes(), &ready, 0);
  NOTHING(takes(), 0, 0);
  RUN(spin_member(&owner), &queue.n, 0);
  if (waits.exits != 2)
    wrong++, printf("spin_member: %d exits\n", waits.exits);
  printf(wrong ? "%d wrong\n" : "right\n", wrong);
  return wrong != 0;
}
