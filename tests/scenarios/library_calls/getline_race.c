// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 getline (
#include "scenario.h"

char *line;
size_t room;
FILE *stream;

NOINLINE static void writer(void) {
  room = 0; // here
}
NOINLINE static void reader(void) {
  if (getline(&line, &room, stream) < 1) abort(); // here
}

int main(void) {
  stream = fopen("/proc/self/comm", "r");
  run_accesses(run_two, writer, reader);
}
