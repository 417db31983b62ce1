#include "classified.h"

// case before_create: no race
// Initialised before the threads that read it exist.
int before_x;
NOINLINE static void before_read(void) { CONSUME(before_x); }
CASE(before_create) {
  before_x = 1;
  run_two(before_read, before_read);
}

// case after_join: no race
int after_x;
NOINLINE static void *after_write(void *argument) {
  after_x = 1;
  return argument;
}
CASE(after_join) {
  pthread_t thread;
  pthread_create(&thread, NULL, after_write, NULL);
  pthread_join(thread, NULL);
  after_x += 1;
}

// case without_join: race [fast msm-long]
// As above, but nobody waits for the thread.
int without_x;
NOINLINE static void *without_write(void *argument) {
  without_x = 1;
  take_step();
  return argument;
}
CASE(without_join) {
  pthread_t thread;
  pthread_create(&thread, NULL, without_write, NULL);
  wait_for_step(1);
  without_x += 1;
  pthread_join(thread, NULL);
}

// case handed_down: no race
// Each thread creates the next and touches the data no more.
int down_x;
NOINLINE static void *down(void *argument) {
  int depth = *(int *)argument;
  down_x += 1;
  if (depth == 3) return NULL;
  int next = depth + 1;
  pthread_t thread;
  pthread_create(&thread, NULL, down, &next);
  pthread_join(thread, NULL);
  down_x += 1;
  return NULL;
}
CASE(handed_down) {
  int depth = 0;
  down(&depth);
}

// case started_too_early: race [fast msm-long eraser]
// The thread runs before what it uses is initialised.
int early_config;
NOINLINE static void *early_use(void *argument) {
  wait_for_step(1);
  CONSUME(early_config);
  return argument;
}
CASE(started_too_early) {
  pthread_t thread;
  pthread_create(&thread, NULL, early_use, NULL);
  early_config = 1;
  take_step();
  pthread_join(thread, NULL);
}

// case freed_too_early: race [fast msm-short msm-long eraser]
// At shutdown a structure goes before the thread that uses it has ended.
int *freed_data;
NOINLINE static void *freed_use(void *argument) {
  *freed_data += 1;
  take_step();
  return argument;
}
CASE(freed_too_early) {
  freed_data = (int *)malloc(sizeof(int));
  *freed_data = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, freed_use, NULL);
  wait_for_step(1);
  free(freed_data);
  pthread_join(thread, NULL);
}

// case freed_after_join: no race
int *kept_data;
NOINLINE static void *kept_use(void *argument) {
  *kept_data += 1;
  return argument;
}
CASE(freed_after_join) {
  kept_data = (int *)malloc(sizeof(int));
  *kept_data = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, kept_use, NULL);
  pthread_join(thread, NULL);
  free(kept_data);
}

// case reallocated: no race
// A block that one thread gave back and another gets.
PAIR(reallocated)
static void reallocated_1(void) {
  int *block = (int *)malloc(4000);
  block[0] = 1;
  CONSUME(block[0]);
  free(block);
}
static void reallocated_2(void) {
  int *block = (int *)malloc(4000);
  block[0] = 2;
  CONSUME(block[0]);
  free(block);
}

// case stack_of_creator: race [fast msm-long]
// A variable on the stack is passed to a thread and used before it is done.
NOINLINE static void *stack_write(void *argument) {
  *(int *)argument = 1;
  take_step();
  return NULL;
}
CASE(stack_of_creator) {
  int local = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, stack_write, &local);
  wait_for_step(1);
  local = 2;
  CONSUME(local);
  pthread_join(thread, NULL);
}

// case thread_per_request: no race
// Requests are made, handed to a thread each, and read when it is joined.
struct request {
  int input, output;
};
NOINLINE static void *serve(void *argument) {
  struct request *request = (struct request *)argument;
  request->output = request->input * 2;
  return NULL;
}
CASE(thread_per_request) {
  for (int i = 0; i < 4; ++i) {
    struct request *request = (struct request *)malloc(sizeof *request);
    request->input = i;
    pthread_t thread;
    pthread_create(&thread, NULL, serve, request);
    pthread_join(thread, NULL);
    CONSUME(request->output);
    free(request);
  }
}

// case own_halves: no race
// Each thread has its part of an array.
int halves[64];
PAIR(own_halves)
static void own_halves_1(void) {
  for (int i = 0; i < 32; ++i) halves[i] += 1;
}
static void own_halves_2(void) {
  for (int i = 32; i < 64; ++i) halves[i] += 1;
}

// case overlapping_halves: race [fast msm-long]
int overlap[64];
PAIR(overlapping_halves)
static void overlapping_halves_1(void) {
  for (int i = 0; i < 33; ++i) overlap[i] += 1;
}
static void overlapping_halves_2(void) {
  for (int i = 32; i < 64; ++i) overlap[i] += 1;
}
