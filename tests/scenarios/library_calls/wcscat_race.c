// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 wcscat (
#include <wchar.h>

#include "scenario.h"

wchar_t shared[64] = L"some text";

NOINLINE static void writer(void) {
  wcscat(shared, L"x"); // here
}
NOINLINE static void reader(void) {
  CONSUME(shared[9]); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
