// expect: data race
// also: c++
// orders: few many
// names: table[63].next
#include "scenario.h"

#include <semaphore.h>
#include <stdint.h>

// All threads read the whole table twice, the words and their halves; between
// the two times each says so to the writer, who waits for that and not
// for the last reading.
enum { ENTRIES = 64, ROUNDS = 4 };
struct entry {
  uint64_t key;
  uint32_t value, next;
};
struct entry table[ENTRIES];
sem_t once, twice;

NOINLINE static uint64_t read_all(void) {
  uint64_t sum = 0;
  for (int i = 0; i < ENTRIES; ++i) {
    struct entry *entry = &table[(i * 7) % ENTRIES];
    sum += entry->key;
    if (sum % 3 != 1) sum += entry->value;
    CONSUME(sum);
    sum += entry->next; // here
  }
  return sum;
}

static void *reader(void *unused) {
  for (int round = 0; round < ROUNDS; ++round) {
    CONSUME(read_all());
    sem_post(&once);
  }
  CONSUME(read_all());
  take_step();
  return unused;
}

int main(void) {
  int readers = ordered("many") ? 20 : 3;
  pthread_t threads[20];
  sem_init(&once, 0, 0);
  sem_init(&twice, 0, 0);
  for (int i = 0; i < readers; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < ROUNDS * readers; ++i) sem_wait(&once);
  wait_for_step(readers);
  table[ENTRIES - 1].next = 1; // here
  for (int i = 0; i < readers; ++i) pthread_join(threads[i], NULL);
}
