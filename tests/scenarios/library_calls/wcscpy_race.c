// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 wcscpy (
#include <wchar.h>

#include "scenario.h"

wchar_t shared[32] = L"some text";
wchar_t other[64];

NOINLINE static void writer(void) {
  shared[0] = L'S'; // here
}
NOINLINE static void reader(void) {
  wcscpy(other, shared); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
