// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 swscanf (, #0 fwscanf (
// reports: any
// tsan: skip, it does not know all of the functions
#include <stdarg.h>
#include <wchar.h>

#include "scenario.h"

// Wide texts that are read by a format.
static void scan(const wchar_t *text, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  vswscanf(text, format, list);
  va_end(list);
}
wchar_t a0[8] = L"12";
int a1;
char a2[8];
wchar_t a3[8];
wchar_t a4[8] = L"%d";
wchar_t a5[8] = L"12";
char a6[64];

NOINLINE static void writer(void) {
  a0[0] = L'2'; // here
  CONSUME(a1); // here
  CONSUME(a2[1]); // here
  CONSUME(a3[0]); // here
  a4[1] = L'u'; // here
  a5[0] = L'2'; // here
  CONSUME(a6[0]); // here
}
NOINLINE static void reader(void) {
  swscanf(a0, L"%d", &(int){0}); // here
  swscanf(L"12", L"%d", &a1); // here
  swscanf(L"text", L"%s", a2); // here
  swscanf(L"text", L"%ls", a3); // here
  swscanf(L"12", a4, &(int){0}); // here
  scan(a5, L"%d", &(int){0}); // here
  fwscanf(fopen("/proc/version", "r"), L"%63s", a6); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
