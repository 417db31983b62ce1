// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 wcpcpy (, #0 wcpncpy (, #0 wcsncat (, #0 wmempcpy (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Copies of wide texts.
static __thread wchar_t to[64];
wchar_t w0[32] = L"12 some text";
wchar_t w1[32] = L"12 some text";
wchar_t w2[32] = L"12 some text";
wchar_t w3[32] = L"12 some text";

NOINLINE static void writer(void) {
  w0[1] = L'3'; // here
  w1[1] = L'3'; // here
  w2[1] = L'3'; // here
  w3[1] = L'3'; // here
}
NOINLINE static void reader(void) {
  wcpcpy(to, w0); // here
  wcpncpy(to, w1, 9); // here
  wcsncat(to, w2, 9); // here
  wmempcpy(to, w3, 9); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
