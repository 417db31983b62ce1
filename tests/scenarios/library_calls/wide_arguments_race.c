// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 snprintf (, #0 swprintf (, #0 wprintf (, #0 fwprintf (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Wide texts that are printed.
static __thread wchar_t wide[64];
static __thread char narrow[64];
wchar_t w0[32] = L"some text";
wchar_t w1[32] = L"some text";
wchar_t w2[32] = L"some text";
wchar_t w3[32] = L"some text";
wchar_t w4[32] = L"some text";

NOINLINE static void writer(void) {
  w0[1] = L'O'; // here
  w1[1] = L'O'; // here
  w2[1] = L'O'; // here
  w3[1] = L'O'; // here
  w4[1] = L'O'; // here
}
NOINLINE static void reader(void) {
  CONSUME(snprintf(narrow, 60, "%ls", w0)); // here
  CONSUME(swprintf(wide, 60, L"%ls", w1)); // here
  CONSUME(snprintf(narrow, 60, "%.3S", w2)); // here
  CONSUME(wprintf(L"%ls", w3)); // here
  CONSUME(fwprintf(stdout, L"%ls", w4)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
