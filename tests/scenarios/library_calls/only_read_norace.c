// expect: none
// orders: first-second second-first
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: false alarm, it does not know REG_NOSUB
#include <fnmatch.h>
#include <iconv.h>
#include <libgen.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <time.h>

#include "scenario.h"

// All that is shared is only read, by functions that change it for others.
regex_t compiled, silent;
regmatch_t places[2];
void *tree;
struct hsearch_data table;
int numbers[4] = {1, 2};
size_t count = 2;
sigset_t set;
struct timespec time_to_sleep, left;
struct drand48_data formula;
char pattern[] = "*.c", name[] = "x.c", nowhere[] = "";

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int compare_numbers(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

NOINLINE static void both(void) {
  regmatch_t own[2];
  ENTRY *found;
  char *text = name, room[8], *to = room;
  size_t text_left = 3, room_left = 8;
  unsigned short now[3] = {1, 2, 3};
  double number;
  if (regexec(&compiled, "aab", 2, own, 0)) abort();
  // The places of a match are not written if nobody wants them, nor if there
  // is none.
  if (regexec(&silent, "aab", 2, places, 0)) abort();
  if (!regexec(&compiled, "c", 2, places, 0)) abort();
  if (fnmatch(pattern, name, 0)) abort();
  if (!tfind("1", &tree, compare) || tfind("3", &tree, compare)) abort();
  // Neither changes anything.
  if (tdelete("3", &tree, compare)) abort();
  if (!hsearch_r((ENTRY){(char *)"2", NULL}, ENTER, &found, &table)) abort();
  if (!lsearch(&(int){2}, numbers, &count, sizeof *numbers, compare_numbers)) abort();
  CONSUME(sigismember(&set, SIGUSR1));
  if (!sigaddset(&set, 1000)) abort();
  nanosleep(&time_to_sleep, &left);
  CONSUME(dirname(nowhere));
  CONSUME((basename)(name));
  erand48_r(now, &formula, &number);
  iconv_t conversion = iconv_open("LATIN1", "UTF-8");
  if (iconv(conversion, &text, &text_left, &to, &room_left)) abort();
  iconv_close(conversion);
}

int main(void) {
  ENTRY *found;
  regcomp(&compiled, "a*b", 0);
  regcomp(&silent, "a*b", REG_NOSUB);
  tsearch("1", &tree, compare);
  tsearch("2", &tree, compare);
  hcreate_r(4, &table);
  hsearch_r((ENTRY){(char *)"2", NULL}, ENTER, &found, &table);
  srand48_r(1, &formula);
  run_ordered(both, both);
  CONSUME(places[0].rm_so + left.tv_nsec);
}
