// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// also: c++
// names: #0 wcslen (
#include <wchar.h>

#include "scenario.h"

wchar_t shared[8] = L"wide";

NOINLINE static void writer(void) {
  shared[3] = L'E'; // here
}
NOINLINE static void reader(void) {
  CONSUME(wcslen(shared)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
