// Large numbers of everything: big KIND COUNT race|norace
// Two accesses to one variable stand on both sides of it; with "norace" the
// second is ordered after the first by a join.
#include "scenario.h"

int shared;
static long count;
static int racy;

NOINLINE static void first_access(void) { shared = 1; }
NOINLINE static void second_access(void) { shared = 2; }

static void *access_first(void *unused) {
  first_access();
  take_step();
  return unused;
}

// Runs `between` with the first access before it and the second behind it.
static void around(void (*between)(void)) {
  pthread_t thread;
  pthread_create(&thread, NULL, access_first, NULL);
  wait_for_step(1);
  if (!racy) pthread_join(thread, NULL);
  between();
  second_access();
  if (racy) pthread_join(thread, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long alive, done;

static void *live(void *unused) {
  pthread_mutex_lock(&mutex);
  ++alive;
  pthread_cond_broadcast(&changed);
  while (alive < count) pthread_cond_wait(&changed, &mutex);
  ++done;
  pthread_mutex_unlock(&mutex);
  return unused;
}

// All alive at once.
static void live_threads(void) {
  pthread_t *threads = malloc(count * sizeof *threads);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (long i = 0; i < count; ++i)
    if (pthread_create(&threads[i], &small, live, NULL)) abort();
  for (long i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  free(threads);
  if (done != count) abort();
}

static void *finish(void *unused) {
  pthread_mutex_lock(&mutex);
  ++done;
  pthread_mutex_unlock(&mutex);
  return unused;
}

// One after the other.
static void short_threads(void) {
  for (long i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, finish, NULL)) abort();
    pthread_join(thread, NULL);
  }
  if (done != count) abort();
}

struct guarded {
  pthread_mutex_t mutex;
  long value;
} *table;

static void *visit_all(void *unused) {
  for (long i = 0; i < count; ++i) {
    pthread_mutex_lock(&table[i].mutex);
    ++table[i].value;
    pthread_mutex_unlock(&table[i].mutex);
  }
  return unused;
}

// Each guards a number that two threads change.
static void mutexes(void) {
  pthread_t other;
  table = calloc(count, sizeof *table);
  for (long i = 0; i < count; ++i) pthread_mutex_init(&table[i].mutex, NULL);
  pthread_create(&other, NULL, visit_all, NULL);
  visit_all(NULL);
  pthread_join(other, NULL);
  for (long i = 0; i < count; ++i) {
    if (table[i].value != 2) abort();
    pthread_mutex_destroy(&table[i].mutex);
  }
  free(table);
}

NOINLINE static long descend(long depth) {
  long below = depth ? descend(depth - 1) + 1 : (second_access(), 0);
  CONSUME(below);
  return below;
}

static void *recurse(void *unused) {
  if (descend(count) != count) abort();
  return unused;
}

// The second access lies that many calls deep.
static void recursion(void) {
  pthread_t thread;
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, (64 << 20) + 256 * count);
  pthread_create(&thread, &large, recurse, NULL);
  pthread_join(thread, NULL);
}

static char *block;

static void *touch_odd(void *unused) {
  for (long i = 64; i < count << 20; i += 128) block[i] = 1;
  return unused;
}

// Megabytes, touched by two threads side by side.
static void memory(void) {
  pthread_t other;
  block = malloc(count << 20);
  if (!block) abort();
  pthread_create(&other, NULL, touch_odd, NULL);
  for (long i = 0; i < count << 20; i += 128) block[i] = 2;
  pthread_join(other, NULL);
  for (long i = 0; i < count << 20; i += 4096)
    if (block[i] != 2 || block[i + 64] != 1) abort();
  free(block);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*body)(void);
  } kinds[] = {{"live_threads", live_threads}, {"short_threads", short_threads},
               {"mutexes", mutexes},           {"recursion", recursion},
               {"memory", memory}};
  if (argc != 4) return 2;
  count = atol(argv[2]);
  racy = strcmp(argv[3], "race") == 0;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(kinds[i].name, argv[1]) == 0) {
      around(kinds[i].body);
      return 0;
    }
  return 2;
}
