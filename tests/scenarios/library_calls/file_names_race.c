// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 __xpg_basename (, #0 dirname (, #0 basename (, #0 wcswidth (
// reports: any
// tsan: skip, it does not know all of the functions
#include <libgen.h>
#include <wchar.h>

#include "scenario.h"

// Parts of the names of files.
char *gnu_basename(const char *name) __asm__("basename");
char a0[8] = "a/b";
char a1[8] = "a/b/";
char a2[8] = "a/b";
char a3[8] = "a";
char a4[8] = "a/b";
wchar_t a5[8] = L"text";

NOINLINE static void writer(void) {
  a0[0] = 'A'; // here
  CONSUME(a1[3]); // here
  CONSUME(a2[1]); // here
  a3[0] = 'A'; // here
  a4[0] = 'A'; // here
  a5[1] = L'E'; // here
}
NOINLINE static void reader(void) {
  CONSUME((basename)(a0)); // here
  CONSUME((basename)(a1)); // here
  CONSUME(dirname(a2)); // here
  CONSUME(dirname(a3)); // here
  CONSUME(gnu_basename(a4)); // here
  CONSUME(wcswidth(a5, 8)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
