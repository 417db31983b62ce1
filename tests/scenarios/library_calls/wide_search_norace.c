// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <wchar.h>

#include "scenario.h"

// Searches and comparisons of wide texts.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  w0[1] = L'3';
  w1[1] = L'3';
  w2[1] = L'3';
  w3[1] = L'3';
  w4[1] = L'3';
  w5[1] = L'3';
  w6[1] = L'3';
  w7[1] = L'3';
  w8[1] = L'3';
  w9[1] = L'3';
  w10[1] = L'3';
  w11[1] = L'3';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(wcsrchr(w0, L'x'));
  CONSUME(wcschrnul(w1, L'x'));
  CONSUME(wmemchr(w2, L'x', 10));
  CONSUME(wcsstr(w3, L"text"));
  CONSUME(wcsspn(w4, L"0123456789"));
  CONSUME(wcscspn(w5, L"x"));
  CONSUME(wcspbrk(w6, L"x"));
  CONSUME(wcscasecmp(w7, L"12 SOME"));
  CONSUME(wcsncasecmp(w8, L"12 SOME", 5));
  CONSUME(wcscoll(w9, L"12"));
  CONSUME(wcsxfrm(NULL, w10, 0));
  CONSUME(wcstok(w11, L" ", &rest));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
