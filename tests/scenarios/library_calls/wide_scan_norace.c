// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <stdarg.h>
#include <wchar.h>

#include "scenario.h"

// Wide texts that are read by a format.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  a0[0] = L'2';
  CONSUME(a1);
  CONSUME(a2[1]);
  CONSUME(a3[0]);
  a4[1] = L'u';
  a5[0] = L'2';
  CONSUME(a6[0]);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  swscanf(a0, L"%d", &(int){0});
  swscanf(L"12", L"%d", &a1);
  swscanf(L"text", L"%s", a2);
  swscanf(L"text", L"%ls", a3);
  swscanf(L"12", a4, &(int){0});
  scan(a5, L"%d", &(int){0});
  fwscanf(fopen("/proc/version", "r"), L"%63s", a6);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
