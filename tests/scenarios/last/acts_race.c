// expect: data race
// orders: post wait signal barrier once release acquire modify fence create join send receive
// also: c++
// names: had last
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "scenario.h"

// What the earlier thread did last before its access to be ordered with
// anybody, though not with the later one. What it does after the access does
// not count.
int payload;
long turn;
sem_t semaphore;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_t child;
int ends[2];

static void initialise(void) {}
static void *nothing(void *argument) { return argument; }

NOINLINE static void post(void) {
  sem_post(&semaphore); // here: post
}
NOINLINE static void wait_for_post(void) {
  sem_post(&semaphore);
  sem_wait(&semaphore); // here: wait
}
NOINLINE static void signal_it(void) {
  pthread_cond_signal(&condition); // here: signal
}
NOINLINE static void pass_barrier(void) {
  pthread_barrier_wait(&barrier); // here: barrier
}
NOINLINE static void run_once(void) {
  pthread_once(&once, initialise); // here: once
}
NOINLINE static void release(void) {
  __atomic_store_n(&turn, 1, __ATOMIC_RELEASE); // here: release
}
NOINLINE static void *release_too(void *argument) {
  __atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
  return argument;
}
NOINLINE static void acquire(void) {
  pthread_create(&child, NULL, release_too, NULL);
  while (!__atomic_load_n(&turn, __ATOMIC_RELAXED)) {}
  CONSUME(__atomic_load_n(&turn, __ATOMIC_ACQUIRE)); // here: acquire
}
NOINLINE static void modify(void) {
  __atomic_fetch_add(&turn, 1, __ATOMIC_ACQ_REL); // here: modify
}
NOINLINE static void fence(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST); // here: fence
}
NOINLINE static void create(void) {
  pthread_create(&child, NULL, nothing, NULL); // here: create
}
NOINLINE static void join(void) {
  pthread_create(&child, NULL, nothing, NULL);
  pthread_join(child, NULL); // here: join
}
NOINLINE static void send(void) {
  CONSUME(write(ends[1], "x", 1)); // here: send
}
NOINLINE static void receive(void) {
  char byte;
  CONSUME(write(ends[1], "x", 1));
  CONSUME(read(ends[0], &byte, 1)); // here: receive
}

NOINLINE static void synchronise(void) {
  if (ordered("post")) post();
  if (ordered("wait")) wait_for_post();
  if (ordered("signal")) signal_it();
  if (ordered("barrier")) pass_barrier();
  if (ordered("once")) run_once();
  if (ordered("release")) release();
  if (ordered("acquire")) acquire();
  if (ordered("modify")) modify();
  if (ordered("fence")) fence();
  if (ordered("create")) create();
  if (ordered("join")) join();
  if (ordered("send")) send();
  if (ordered("receive")) receive();
}

NOINLINE static void write_it(void) {
  synchronise();
  payload = 1; // here
  sem_post(&semaphore);
}
NOINLINE static void read_it(void) {
  CONSUME(payload); // here
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, NULL, 1);
  if (pipe(ends)) return 1;
  run_two(write_it, read_it);
  if (ordered("create") || ordered("acquire")) pthread_join(child, NULL);
}
