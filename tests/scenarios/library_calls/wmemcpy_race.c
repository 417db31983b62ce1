// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 wmemcpy (
#include <wchar.h>

#include "scenario.h"

wchar_t shared[8] = L"wide";
wchar_t other[8];

NOINLINE static void writer(void) {
  shared[3] = L'E'; // here
}
NOINLINE static void reader(void) {
  wmemcpy(other, shared, 4); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
