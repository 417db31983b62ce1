// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 strtol (, #0 strtod (, #0 wcstol (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Where a number ends is written.
char *end, *other_end;
wchar_t *wide_end;

NOINLINE static void writer(void) {
  CONSUME(strtol("12 ", &end, 10)); // here
  CONSUME(strtod("12 ", &other_end)); // here
  CONSUME(wcstol(L"12 ", &wide_end, 10)); // here
}
NOINLINE static void reader(void) {
  CONSUME(end); // here
  CONSUME(other_end); // here
  CONSUME(wide_end); // here
}

int main(void) { run_accesses(run_two, writer, reader); }
