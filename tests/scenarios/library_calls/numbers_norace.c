// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <inttypes.h>
#include <wchar.h>

#include "scenario.h"

// Numbers in texts.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char n0[32] = "12 some text";
char n1[32] = "12 some text";
char n2[32] = "12 some text";
char n3[32] = "12 some text";
char n4[32] = "12 some text";
char n5[32] = "12 some text";
char n6[32] = "12 some text";
wchar_t w20[32] = L"12 some text";
wchar_t w21[32] = L"12 some text";
wchar_t w22[32] = L"12 some text";
wchar_t w23[32] = L"12 some text";
wchar_t w24[32] = L"12 some text";
wchar_t w25[32] = L"12 some text";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  n0[1] = '3';
  n1[1] = '3';
  n2[1] = '3';
  n3[1] = '3';
  n4[1] = '3';
  n5[1] = '3';
  n6[1] = '3';
  w20[1] = L'3';
  w21[1] = L'3';
  w22[1] = L'3';
  w23[1] = L'3';
  w24[1] = L'3';
  w25[1] = L'3';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(atoi(n0));
  CONSUME(atol(n1));
  CONSUME(atoll(n2));
  CONSUME(atof(n3));
  CONSUME(strtold(n4, NULL));
  CONSUME(strtoimax(n5, NULL, 10));
  CONSUME(strtoumax(n6, NULL, 10));
  CONSUME(wcstol(w20, NULL, 10));
  CONSUME(wcstoll(w21, NULL, 10));
  CONSUME(wcstoul(w22, NULL, 10));
  CONSUME(wcstoull(w23, NULL, 10));
  CONSUME(wcstod(w24, NULL));
  CONSUME(wcstof(w25, NULL));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
