// expect: none
// also: c++
// orders: read-kept read-changed write-kept write-changed write-last
#include "scenario.h"

#include <stdint.h>

// Two threads hand data of every width to each other under a lock, so often
// that nothing about it is new to them. What a third one meets there must still
// be the same: the last write, though only reads have come after it, and the
// last read. So must what one of the two does without the lock.
enum { TURNS = 60 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct widths {
  uint64_t eight;
  uint32_t four, beside_four;
  uint16_t two, beside_two[3];
  uint8_t one, beside_one[7];
};
struct widths kept, changed;

NOINLINE static void use(int turn) {
  pthread_mutex_lock(&lock);
  changed.eight = (uint64_t)turn;
  changed.four = (uint32_t)turn;
  changed.two = (uint16_t)turn;
  changed.one = (uint8_t)turn;
  if (turn == 0) kept.eight = kept.four = kept.two = kept.one = 1;
  CONSUME(kept.eight);
  CONSUME(kept.four);
  CONSUME(kept.two);
  CONSUME(kept.one);
  pthread_mutex_unlock(&lock);
}

NOINLINE static void write_all(struct widths *data) {
  data->eight = 1;
  data->four = 1;
  data->two = 1;
  data->one = 1;
}

static void *take_turns(void *first) {
  for (int turn = first != NULL; turn < TURNS; turn += 2) {
    wait_for_step(turn);
    if (turn == TURNS - 2 && ordered("write-last")) {
      pthread_mutex_lock(&lock);
      write_all(&kept);
      pthread_mutex_unlock(&lock);
    } else {
      use(turn);
    }
    take_step();
  }
  return NULL;
}

NOINLINE static void read_all(struct widths *data) {
  CONSUME(data->eight);
  CONSUME(data->four);
  CONSUME(data->two);
  CONSUME(data->one);
}

static void *intrude(void *unused) {
  wait_for_step(TURNS);
  pthread_mutex_lock(&lock);
  if (ordered("read-kept")) read_all(&kept);
  if (ordered("read-changed")) read_all(&changed);
  if (ordered("write-kept")) write_all(&kept);
  if (ordered("write-changed")) write_all(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, take_turns, NULL);
  pthread_create(&threads[1], NULL, take_turns, &kept);
  pthread_create(&threads[2], NULL, intrude, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
