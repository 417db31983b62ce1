// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <wchar.h>

#include "scenario.h"

// Wide texts that are printed.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread wchar_t wide[64];
static __thread char narrow[64];
wchar_t w0[32] = L"some text";
wchar_t w1[32] = L"some text";
wchar_t w2[32] = L"some text";
wchar_t w3[32] = L"some text";
wchar_t w4[32] = L"some text";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  w0[1] = L'O';
  w1[1] = L'O';
  w2[1] = L'O';
  w3[1] = L'O';
  w4[1] = L'O';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(snprintf(narrow, 60, "%ls", w0));
  CONSUME(swprintf(wide, 60, L"%ls", w1));
  CONSUME(snprintf(narrow, 60, "%.3S", w2));
  CONSUME(wprintf(L"%ls", w3));
  CONSUME(fwprintf(stdout, L"%ls", w4));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
