// expect: data race
// orders: first-second second-first
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 fflush (, len
// tsan: skip, it does not know of the length
#include "scenario.h"

// The lock of a stream does not order what the program does by itself.
char *text;
size_t len;
FILE *stream;

NOINLINE static void first(void) {
  fputs("text", stream);
  fflush(stream); // here
}
NOINLINE static void second(void) {
  fputs("more", stream);
  CONSUME(len); // here
}

int main(void) {
  stream = open_memstream(&text, &len);
  run_ordered(first, second);
  fclose(stream);
}
