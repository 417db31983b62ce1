// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 wcsdup (
#include <wchar.h>

#include "scenario.h"

wchar_t shared[32] = L"some text";

NOINLINE static void writer(void) {
  shared[0] = L'S'; // here
}
NOINLINE static void reader(void) {
  free(wcsdup(shared)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
