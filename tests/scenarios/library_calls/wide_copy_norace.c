// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <wchar.h>

#include "scenario.h"

// Copies of wide texts.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread wchar_t to[64];
wchar_t w0[32] = L"12 some text";
wchar_t w1[32] = L"12 some text";
wchar_t w2[32] = L"12 some text";
wchar_t w3[32] = L"12 some text";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  w0[1] = L'3';
  w1[1] = L'3';
  w2[1] = L'3';
  w3[1] = L'3';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  wcpcpy(to, w0);
  wcpncpy(to, w1, 9);
  wcsncat(to, w2, 9);
  wmempcpy(to, w3, 9);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
