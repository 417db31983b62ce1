// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <wchar.h>

#include "scenario.h"

// Wide texts and their bytes.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  n0[1] = 'O';
  w1[1] = L'O';
  n2[1] = 'O';
  w3[1] = L'O';
  n4[0] = 'O';
  n5[0] = 'O';
  n6[0] = 'O';
  n7[0] = 'O';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(mbstowcs(wide, n0, 20));
  CONSUME(wcstombs(narrow, w1, 20));
  CONSUME(mbsrtowcs(wide, &(const char *){n2}, 20, &(mbstate_t){0}));
  CONSUME(wcsrtombs(narrow, &(const wchar_t *){w3}, 20, &(mbstate_t){0}));
  CONSUME(mbrtowc(wide, n4, 4, &(mbstate_t){0}));
  CONSUME(mbtowc(wide, n5, 4));
  CONSUME(wcrtomb(n6, L'a', &(mbstate_t){0}));
  CONSUME(wctomb(n7, L'a'));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
