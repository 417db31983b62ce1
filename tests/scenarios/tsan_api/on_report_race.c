// expect: data race
// also: c++
// names: shared
// exit: 0
// tsan: skip, it announces a report before it prints it and exits with 66
// The program is told of the race, asks about it, and decides how it ends.
#include "scenario.h"
#include "tsan_interface.h"

int shared;
static int told;

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

void __tsan_on_report(void *report) {
  const char *what = "";
  void *sleep_trace[1], *trace[8] = {0}, *address = NULL;
  int count, stacks, accesses, locations, mutexes, threads, unique, tid, size, write, atomic;
  if (report != __tsan_get_current_report()) abort();
  if (!__tsan_get_report_data(report, &what, &count, &stacks, &accesses, &locations, &mutexes,
                              &threads, &unique, sleep_trace, 1))
    abort();
  if (strcmp(what, "data-race") || accesses != 2 || unique != 2) abort();
  for (unsigned long i = 0; i < 2; ++i) {
    if (!__tsan_get_report_mop(report, i, &tid, &address, &size, &write, &atomic, trace, 8)) abort();
    if (address != (void *)&shared || size != 4 || !write || atomic || !trace[0]) abort();
  }
  if (__tsan_get_report_mop(report, 2, &tid, &address, &size, &write, &atomic, trace, 8)) abort();
  told = 1;
}

int __tsan_on_finalize(int failed) {
  (void)failed;
  if (!told) abort();
  return 0;
}

int main(void) {
  run_two(first, second);
  return 0;
}
