// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 wcsrchr (, #0 wcschrnul (, #0 wmemchr (, #0 wcsstr (, #0 wcsspn (, #0 wcscspn (, #0 wcspbrk (, #0 wcscasecmp (, #0 wcsncasecmp (, #0 wcscoll (, #0 wcsxfrm (, #0 wcstok (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Searches and comparisons of wide texts.
static __thread wchar_t *rest;
wchar_t w0[32] = L"12 some text";
wchar_t w1[32] = L"12 some text";
wchar_t w2[32] = L"12 some text";
wchar_t w3[32] = L"12 some text";
wchar_t w4[32] = L"12 some text";
wchar_t w5[32] = L"12 some text";
wchar_t w6[32] = L"12 some text";
wchar_t w7[32] = L"12 some text";
wchar_t w8[32] = L"12 some text";
wchar_t w9[32] = L"12 some text";
wchar_t w10[32] = L"12 some text";
wchar_t w11[32] = L"12 some text";

NOINLINE static void writer(void) {
  w0[1] = L'3'; // here
  w1[1] = L'3'; // here
  w2[1] = L'3'; // here
  w3[1] = L'3'; // here
  w4[1] = L'3'; // here
  w5[1] = L'3'; // here
  w6[1] = L'3'; // here
  w7[1] = L'3'; // here
  w8[1] = L'3'; // here
  w9[1] = L'3'; // here
  w10[1] = L'3'; // here
  w11[1] = L'3'; // here
}
NOINLINE static void reader(void) {
  CONSUME(wcsrchr(w0, L'x')); // here
  CONSUME(wcschrnul(w1, L'x')); // here
  CONSUME(wmemchr(w2, L'x', 10)); // here
  CONSUME(wcsstr(w3, L"text")); // here
  CONSUME(wcsspn(w4, L"0123456789")); // here
  CONSUME(wcscspn(w5, L"x")); // here
  CONSUME(wcspbrk(w6, L"x")); // here
  CONSUME(wcscasecmp(w7, L"12 SOME")); // here
  CONSUME(wcsncasecmp(w8, L"12 SOME", 5)); // here
  CONSUME(wcscoll(w9, L"12")); // here
  CONSUME(wcsxfrm(NULL, w10, 0)); // here
  CONSUME(wcstok(w11, L" ", &rest)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
