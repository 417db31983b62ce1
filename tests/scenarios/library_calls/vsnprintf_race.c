// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 snprintf (
#include <stdarg.h>

#include "scenario.h"

char shared[64] = "some text";

NOINLINE static void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(shared, sizeof shared, format, arguments);
  va_end(arguments);
}

NOINLINE static void writer(void) {
  print("%d", 7); // here
}
NOINLINE static void reader(void) {
  CONSUME(shared[0]); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
