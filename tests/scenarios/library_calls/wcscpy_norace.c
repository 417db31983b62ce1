// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <wchar.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
wchar_t shared[32] = L"some text";
wchar_t other[64];

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  shared[0] = L'S';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  wcscpy(other, shared);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
