// expect: none
// also: c++
// orders: read write write-last
#include "scenario.h"

#include <stdint.h>

// What one thread writes now and then, all read under the read lock, so often
// that nothing about it is new to them. The last write and the last reads must
// still be there for a third one to meet, and what one of them does without it.
enum { TURNS = 60 };
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct widths {
  uint64_t eight;
  uint32_t four, beside_four;
  uint16_t two, beside_two[3];
  uint8_t one, beside_one[7];
};
struct widths table;

NOINLINE static void use(int turn) {
  if (turn % 16 == 0) {
    pthread_rwlock_wrlock(&lock);
    table.eight = (uint64_t)turn;
    table.four = (uint32_t)turn;
    table.two = (uint16_t)turn;
    table.one = (uint8_t)turn;
  } else {
    pthread_rwlock_rdlock(&lock);
    CONSUME(table.eight);
    CONSUME(table.four);
    CONSUME(table.two);
    CONSUME(table.one);
  }
  pthread_rwlock_unlock(&lock);
}

NOINLINE static void write_all(void) {
  table.eight = 1;
  table.four = 1;
  table.two = 1;
  table.one = 1;
}

static void *take_turns(void *first) {
  for (int turn = first != NULL; turn < TURNS; turn += 2) {
    wait_for_step(turn);
    if (turn == TURNS - 2 && ordered("write-last")) {
      pthread_rwlock_wrlock(&lock);
      write_all();
      pthread_rwlock_unlock(&lock);
    } else {
      use(turn);
    }
    take_step();
  }
  return NULL;
}

NOINLINE static void read_all(void) {
  CONSUME(table.eight);
  CONSUME(table.four);
  CONSUME(table.two);
  CONSUME(table.one);
}

static void *intrude(void *unused) {
  wait_for_step(TURNS);
  pthread_rwlock_wrlock(&lock);
  if (ordered("read")) read_all();
  if (ordered("write")) write_all();
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, take_turns, NULL);
  pthread_create(&threads[1], NULL, take_turns, &table);
  pthread_create(&threads[2], NULL, intrude, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
