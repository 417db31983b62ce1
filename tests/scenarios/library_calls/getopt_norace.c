// expect: none
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: skip, it does not know the functions
#include <getopt.h>
#include <string.h>

#include "scenario.h"

// What it tells is read later.
static char *words[] = {(char *)"program", (char *)"-x", (char *)"1", (char *)"-y", NULL};
static const struct option names[] = {{"long", 0, NULL, 0}, {NULL, 0, NULL, 0}};

NOINLINE static void first(void) {
  if (getopt(4, words, "x:") != 'x' || strcmp(optarg, "1") != 0 || optind != 3) abort();
}
NOINLINE static void second(void) {
  if (optind != 3 || *optarg != '1') abort();
  opterr = 0;
  if (getopt_long(4, words, "x:", names, NULL) != '?' || optopt != 'y') abort();
}

static void *run(void *function) {
  ((void (*)(void))function)();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, (void *)first);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, run, (void *)second);
  pthread_join(thread, NULL);
}
