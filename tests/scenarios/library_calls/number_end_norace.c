// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <errno.h>
#include <wchar.h>

#include "scenario.h"

// Of a base that there is not, nothing is read, and nothing is written.
char digits[] = "12 ";
char *end = digits;
wchar_t *wide_end = NULL;

NOINLINE static void writer(void) {
  CONSUME(strtol(digits, &end, 99));
  if (errno != EINVAL) abort();
  CONSUME(wcstol(L"12 ", &wide_end, 99));
}
NOINLINE static void reader(void) {
  digits[0] = '3';
  if (end != digits || wide_end) abort();
}

int main(void) { run_accesses(run_two, writer, reader); }
