// expect: none
// opt: O1
// timeout: 300
#include "scenario.h"

#include <stdint.h>

// Threads that read and write the same few bytes, in pieces of all sizes,
// plainly and atomically, always inside critical sections.
enum { THREADS = 6, ROUNDS = 30000, WORDS = 8 };
static uint64_t words[WORDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

NOINLINE static void touch(uint64_t number) {
  char *bytes = (char *)&words[number % WORDS];
  unsigned at = (number >> 8) % 8;
  switch ((number >> 16) % 8) {
    case 0: bytes[at] = 1; break;
    case 1: CONSUME(bytes[at]); break;
    case 2: *(uint16_t *)(bytes + (at & 6)) = 2; break;
    case 3: CONSUME(*(uint32_t *)(bytes + (at & 4))); break;
    case 4: __atomic_store_n((uint16_t *)(bytes + (at & 6)), 3, __ATOMIC_RELAXED); break;
    case 5: CONSUME(__atomic_load_n((uint32_t *)(bytes + (at & 4)), __ATOMIC_ACQUIRE)); break;
    case 6: __atomic_fetch_add(bytes + at, 1, __ATOMIC_ACQ_REL); break;
    default: CONSUME(*(uint64_t *)bytes);
  }
}

static void *collide(void *argument) {
  uint64_t state = 0x9e3779b97f4a7c15u * ((uintptr_t)argument + 1);
  for (int i = 0; i < ROUNDS; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    pthread_mutex_lock(&mutex);
    touch(state);
    touch(state >> 24);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, collide, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}
