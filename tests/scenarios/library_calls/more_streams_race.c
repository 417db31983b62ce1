// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 fputs_unlocked (, #0 fputws (, #0 fgets_unlocked (, #0 strverscmp (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Streams that nobody locks, and wide ones.
static FILE *nowhere(void) { return fopen("/dev/null", "w"); }
char a0[32] = "text";
wchar_t a1[32] = L"text";
char a2[32];
char a3[32] = "text-12";

NOINLINE static void writer(void) {
  a0[1] = 'E'; // here
  a1[1] = L'E'; // here
  CONSUME(a2[0]); // here
  a3[1] = 'E'; // here
}
NOINLINE static void reader(void) {
  fputs_unlocked(a0, nowhere()); // here
  fputws(a1, nowhere()); // here
  CONSUME(fgets_unlocked(a2, 32, fopen("/proc/version", "r"))); // here
  CONSUME(strverscmp(a3, "text-9")); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
