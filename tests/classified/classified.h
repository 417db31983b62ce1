// What the classified cases share. A program holds the cases of one class; its
// argument names the one to run.
//
// A line `// case NAME: race` (or `no race`) in front of a case says whether
// some schedule of it has a race; in brackets behind it are the modes that get
// it wrong. Bodies run in a forced order that no detector can see.
#ifndef CLASSIFIED_H
#define CLASSIFIED_H

#include "scenario.h"

struct classified {
  const char *name;
  void (*run)(void);
};
static struct classified all_cases[64];
static int case_count;

#define CASE(which)                                            \
  static void which(void);                                     \
  __attribute__((constructor)) static void add_##which(void) { \
    all_cases[case_count].name = #which;                       \
    all_cases[case_count++].run = which;                       \
  }                                                            \
  NOINLINE static void which(void)

// A case of two threads: `NAME_1` runs to its end before `NAME_2` starts.
#define PAIR(which)                     \
  NOINLINE static void which##_1(void); \
  NOINLINE static void which##_2(void); \
  CASE(which) { run_two(which##_1, which##_2); }

#define LOCK(mutex) pthread_mutex_lock(&mutex)
#define UNLOCK(mutex) pthread_mutex_unlock(&mutex)
#define MUTEX(name) static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER

int main(int argc, char **argv) {
  for (int i = 0; argc > 1 && i < case_count; ++i)
    if (!strcmp(all_cases[i].name, argv[1])) {
      all_cases[i].run();
      return 0;
    }
  fprintf(stderr, "no such case\n");
  return 2;
}

#endif
