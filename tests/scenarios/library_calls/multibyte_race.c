// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 mbstowcs (, #0 wcstombs (, #0 mbsrtowcs (, #0 wcsrtombs (, #0 mbrtowc (, #0 mbtowc (, #0 wcrtomb (, #0 wctomb (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Wide texts and their bytes.
static __thread wchar_t wide[64];
static __thread char narrow[64];
char n0[32] = "some text";
wchar_t w1[32] = L"some text";
char n2[32] = "some text";
wchar_t w3[32] = L"some text";
char n4[32] = "some text";
char n5[32] = "some text";
char n6[32];
char n7[32];

NOINLINE static void writer(void) {
  n0[1] = 'O'; // here
  w1[1] = L'O'; // here
  n2[1] = 'O'; // here
  w3[1] = L'O'; // here
  n4[0] = 'O'; // here
  n5[0] = 'O'; // here
  n6[0] = 'O'; // here
  n7[0] = 'O'; // here
}
NOINLINE static void reader(void) {
  CONSUME(mbstowcs(wide, n0, 20)); // here
  CONSUME(wcstombs(narrow, w1, 20)); // here
  CONSUME(mbsrtowcs(wide, &(const char *){n2}, 20, &(mbstate_t){0})); // here
  CONSUME(wcsrtombs(narrow, &(const wchar_t *){w3}, 20, &(mbstate_t){0})); // here
  CONSUME(mbrtowc(wide, n4, 4, &(mbstate_t){0})); // here
  CONSUME(mbtowc(wide, n5, 4)); // here
  CONSUME(wcrtomb(n6, L'a', &(mbstate_t){0})); // here
  CONSUME(wctomb(n7, L'a')); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
