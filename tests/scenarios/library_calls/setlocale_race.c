// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 setlocale (, the locale of the process
#include <locale.h>

#include "scenario.h"


NOINLINE static void writer(void) {
  setlocale(LC_ALL, "C"); // here
}
NOINLINE static void reader(void) {
  setlocale(LC_ALL, "C"); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
