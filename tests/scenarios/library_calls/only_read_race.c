// expect: data race
// orders: first-second second-first
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 regexec (, #0 regcomp (, #0 tfind (, #0 tdelete (, #0 lfind (, #0 lsearch (, #0 sigismember (, #0 sigaddset (
// reports: any
// tsan: skip, it does not know all of the functions
#include <regex.h>
#include <search.h>
#include <signal.h>

#include "scenario.h"

// What one thread only reads, the other changes.
regex_t compiled;
void *tree;
int numbers[4] = {1, 2};
size_t count = 2;
sigset_t set;

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int compare_numbers(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

NOINLINE static void first(void) {
  regexec(&compiled, "aab", 0, NULL, 0); // here
  CONSUME(tfind("1", &tree, compare)); // here
  CONSUME(lfind(&(int){2}, numbers, &count, sizeof *numbers, compare_numbers)); // here
  CONSUME(sigismember(&set, SIGUSR1)); // here
}
NOINLINE static void second(void) {
  CONSUME(tdelete("2", &tree, compare)); // here
  CONSUME(lsearch(&(int){5}, numbers, &count, sizeof *numbers, compare_numbers)); // here
  sigaddset(&set, SIGUSR1); // here
  regcomp(&compiled, "a*c", 0); // here
}

int main(void) {
  regcomp(&compiled, "a*b", 0);
  tsearch("1", &tree, compare);
  tsearch("2", &tree, compare);
  run_ordered(first, second);
}
