/* Plays a trace: lines of a file, each a step of one thread, one after the
 * other. Says after which step there was a finding, and what kind, and ends.
 *
 *   THREAD r|w|a|A GRANULE OFFSET SIZE SITE   reads, writes, the same atomically
 *   THREAD R|W GRANULE 0 SIZE SITE            reads, writes several granules
 *   THREAD f 0 0 0 SITE                       frees all granules, gets new ones
 *   THREAD l|u LOCK                           locks, unlocks
 *   THREAD s|q FLAG                           store-release, load-acquire
 */
#include <pthread.h>
#include <racert/api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { THREADS = 4, GRANULES = 3, LOCKS = 3, FLAGS = 2, MOST_STEPS = 4096 };

struct step {
  int thread;
  char what;
  int where, offset, size, site;
};

static struct step steps[MOST_STEPS];
static int count;
static uint64_t *granules;
static pthread_mutex_t locks[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int flags[FLAGS];

#define UNSEEN __attribute__((disable_sanitizer_instrumentation, noinline))
#define ALONE __attribute__((noinline))

/* Whose turn it is: the number of the next step. */
static int next;

UNSEEN static long futex(int *at, int operation, int value) {
  register long timeout __asm__("r10") = 0;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_futex), "D"(at), "S"(operation), "d"(value), "r"(timeout)
                   : "rcx", "r11", "memory");
  return result;
}

UNSEEN static void wait_for_turn(int step) {
  for (int now; (now = *(volatile int *)&next) != step;) futex(&next, 128 /* wait */, now);
}

UNSEEN static void pass_on(void) {
  *(volatile int *)&next = next + 1;
  futex(&next, 129 /* wake */, THREADS);
}

#define ACCESSES(SITE, TYPE, BYTES)                                                              \
  ALONE static TYPE read##SITE##_##BYTES(void *at) {                                             \
    struct __attribute__((packed)) unaligned { TYPE value; };                                    \
    return ((volatile struct unaligned *)at)->value;                                             \
  }                                                                                              \
  ALONE static void write##SITE##_##BYTES(void *at) {                                            \
    struct __attribute__((packed)) unaligned { TYPE value; };                                    \
    ((volatile struct unaligned *)at)->value = (TYPE)BYTES;                                      \
  }                                                                                              \
  ALONE static TYPE atomic_read##SITE##_##BYTES(void *at) {                                      \
    return __atomic_load_n((TYPE *)at, __ATOMIC_RELAXED);                                        \
  }                                                                                              \
  ALONE static void atomic_write##SITE##_##BYTES(void *at) {                                     \
    __atomic_store_n((TYPE *)at, (TYPE)BYTES, __ATOMIC_RELAXED);                                 \
  }

#define RANGES(SITE)                                                                             \
  ALONE static void read_all##SITE(void *at, size_t size) {                                      \
    char copy[8 * GRANULES];                                                                     \
    memcpy(copy, at, size);                                                                      \
    __asm__ volatile("" : : "r"(copy) : "memory");                                               \
  }                                                                                              \
  ALONE static void write_all##SITE(void *at, size_t size) { memset(at, 0, size); }

/* The pointer itself is nobody's business. */
UNSEEN static void *granule(int number) { return &granules[number]; }

#define RENEWAL(SITE)                                                                            \
  UNSEEN static void renew##SITE(void) {                                                         \
    free(granules);                                                                              \
    granules = (uint64_t *)malloc(GRANULES * sizeof *granules);                                  \
  }

#define ALL_SIZES(SITE)                                                                          \
  ACCESSES(SITE, uint8_t, 1)                                                                     \
  ACCESSES(SITE, uint16_t, 2)                                                                    \
  ACCESSES(SITE, uint32_t, 4)                                                                    \
  ACCESSES(SITE, uint64_t, 8)                                                                    \
  RANGES(SITE)                                                                                   \
  RENEWAL(SITE)                                                                                  \
  ALONE static void touch##SITE(char what, void *at, int size) {                                 \
    if (what == 'f') return renew##SITE();                                                       \
    if (what == 'R') return read_all##SITE(at, (size_t)size);                                    \
    if (what == 'W') return write_all##SITE(at, (size_t)size);                                   \
    switch (what << 8 | size) {                                                                  \
      case 'r' << 8 | 1: read##SITE##_1(at); break;                                              \
      case 'r' << 8 | 2: read##SITE##_2(at); break;                                              \
      case 'r' << 8 | 4: read##SITE##_4(at); break;                                              \
      case 'r' << 8 | 8: read##SITE##_8(at); break;                                              \
      case 'w' << 8 | 1: write##SITE##_1(at); break;                                             \
      case 'w' << 8 | 2: write##SITE##_2(at); break;                                             \
      case 'w' << 8 | 4: write##SITE##_4(at); break;                                             \
      case 'w' << 8 | 8: write##SITE##_8(at); break;                                             \
      case 'a' << 8 | 1: atomic_read##SITE##_1(at); break;                                       \
      case 'a' << 8 | 2: atomic_read##SITE##_2(at); break;                                       \
      case 'a' << 8 | 4: atomic_read##SITE##_4(at); break;                                       \
      case 'a' << 8 | 8: atomic_read##SITE##_8(at); break;                                       \
      case 'A' << 8 | 1: atomic_write##SITE##_1(at); break;                                      \
      case 'A' << 8 | 2: atomic_write##SITE##_2(at); break;                                      \
      case 'A' << 8 | 4: atomic_write##SITE##_4(at); break;                                      \
      case 'A' << 8 | 8: atomic_write##SITE##_8(at); break;                                      \
      default: abort();                                                                          \
    }                                                                                            \
  }

ALL_SIZES(1)
ALL_SIZES(2)
ALL_SIZES(3)

ALONE static void take_step(const struct step *step) {
  switch (step->what) {
    case 'l': pthread_mutex_lock(&locks[step->where]); return;
    case 'u': pthread_mutex_unlock(&locks[step->where]); return;
    case 's': __atomic_store_n(&flags[step->where], 1, __ATOMIC_RELEASE); return;
    case 'q': (void)__atomic_load_n(&flags[step->where], __ATOMIC_ACQUIRE); return;
  }
  void *at = (char *)granule(step->where) + step->offset;
  switch (step->site) {
    case 1: touch1(step->what, at, step->size); return;
    case 2: touch2(step->what, at, step->size); return;
    default: touch3(step->what, at, step->size); return;
  }
}

UNSEEN static void on_finding(const struct racert_finding *finding, void *data) {
  (void)data;
  if (!strstr(finding->kind, "data-race")) return;
  printf("step %d: %s\n", next, finding->kind);
  fflush(stdout);
  _Exit(0);
}

UNSEEN static void *play(void *number) {
  for (int i = 0; i < count; i++) {
    if (steps[i].thread != (int)(intptr_t)number) continue;
    wait_for_turn(i);
    take_step(&steps[i]);
    pass_on();
  }
  wait_for_turn(count);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: traces FILE\n");
    return 2;
  }
  char line[64];
  while (count < MOST_STEPS && fgets(line, sizeof line, file)) {
    struct step *step = &steps[count++];
    step->size = 8;
    if (sscanf(line, "%d %c %d %d %d %d", &step->thread, &step->what, &step->where, &step->offset,
               &step->size, &step->site) < 3) {
      fprintf(stderr, "traces: line %d of %s is no step\n", count, argv[1]);
      return 2;
    }
  }
  fclose(file);
  granules = (uint64_t *)malloc(GRANULES * sizeof *granules);
  racert_on_finding(on_finding, NULL);
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, play, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  puts("nothing");
  return 0;
}
