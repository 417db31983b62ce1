// A library: places for one thing each, behind locks of all kinds,
// and functions that only wrap a lock.
#define _GNU_SOURCE
#include "shelf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static pthread_mutex_t wrapped = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

struct node {
  void *thing;
};
static struct node *by_mutex;
static void *by_rwlock, *by_spin, *by_c11;

__attribute__((constructor)) static void begin(void) {
  pthread_spin_init(&spin, 0);
  mtx_init(&c11, mtx_plain);
}

// The library's own calls of libc are seen.
static struct node *make(void *thing) {
  struct node *node = (struct node *)malloc(sizeof *node);
  memcpy(&node->thing, &thing, sizeof thing);
  return node;
}

void mutex_put(void *thing) {
  pthread_mutex_lock(&mutex);
  by_mutex = make(thing);
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
}

void *mutex_take(void) {
  pthread_mutex_lock(&mutex);
  while (!by_mutex) pthread_cond_wait(&filled, &mutex);
  void *thing = by_mutex->thing;
  free(by_mutex);
  by_mutex = NULL;
  pthread_mutex_unlock(&mutex);
  return thing;
}

// The last thing they do is to give the lock back.
int last_put(void *thing) {
  pthread_mutex_lock(&mutex);
  by_mutex = make(thing);
  return pthread_mutex_unlock(&mutex);
}

int last_take(void) {
  pthread_mutex_lock(&mutex);
  free(by_mutex);
  by_mutex = NULL;
  return pthread_mutex_unlock(&mutex);
}

// Only if the caller's function says so, which runs with the lock held.
void *mutex_take_if(int (*wanted)(void *)) {
  void *thing = NULL;
  pthread_mutex_lock(&mutex);
  if (by_mutex && wanted(by_mutex->thing)) {
    thing = by_mutex->thing;
    free(by_mutex);
    by_mutex = NULL;
  }
  pthread_mutex_unlock(&mutex);
  return thing;
}

void rwlock_put(void *thing) {
  pthread_rwlock_wrlock(&rwlock);
  by_rwlock = thing;
  pthread_rwlock_unlock(&rwlock);
}

void *rwlock_take(void) {
  pthread_rwlock_rdlock(&rwlock);
  void *thing = by_rwlock;
  pthread_rwlock_unlock(&rwlock);
  return thing;
}

// Nothing is there until the writer comes: it sees that readers have left.
static int readers;
void rwlock_leave(void) {
  pthread_rwlock_rdlock(&rwlock);
  __atomic_fetch_add(&readers, 1, __ATOMIC_RELAXED);
  pthread_rwlock_unlock(&rwlock);
}

int rwlock_left(void) {
  pthread_rwlock_wrlock(&rwlock);
  int left = readers;
  pthread_rwlock_unlock(&rwlock);
  return left;
}

void spin_put(void *thing) {
  pthread_spin_lock(&spin);
  by_spin = thing;
  pthread_spin_unlock(&spin);
}

void *spin_take(void) {
  pthread_spin_lock(&spin);
  void *thing = by_spin;
  pthread_spin_unlock(&spin);
  return thing;
}

void c11_put(void *thing) {
  mtx_lock(&c11);
  by_c11 = thing;
  mtx_unlock(&c11);
}

void *c11_take(void) {
  mtx_lock(&c11);
  void *thing = by_c11;
  mtx_unlock(&c11);
  return thing;
}

// Nothing is done with the lock.
void shelf_pass(void) {
  pthread_mutex_lock(&wrapped);
  pthread_mutex_unlock(&wrapped);
}

void shelf_lock(void) { pthread_mutex_lock(&wrapped); }
void shelf_unlock(void) { pthread_mutex_unlock(&wrapped); }

// A descriptor that it uses and closes, in an order of its own.
static int ends[2], done;

int shelf_open(void) { return pipe(ends) == 0 ? ends[1] : -1; }
void shelf_use(void) {
  if (write(ends[1], "", 1) != 1) abort();
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
}
void shelf_close(void) {
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) continue;
  close(ends[1]);
}
