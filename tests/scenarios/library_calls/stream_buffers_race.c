// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 setvbuf (, #0 setbuf (, #0 setbuffer (, #0 fflush (, #0 fclose (, #0 fgetws (
// reports: any
// tsan: skip, it does not know all of the functions
#include <wchar.h>

#include "scenario.h"

// Memory that streams use.
char a0[64];
char a1[BUFSIZ];
char a2[64];
char *a3;
size_t a3_len;
FILE *a3_stream;
char *a4;
size_t a4_len;
FILE *a4_stream;
wchar_t *a5;
size_t a5_len;
FILE *a5_stream;
wchar_t a6[64];

NOINLINE static void writer(void) {
  CONSUME(a0[63]); // here
  CONSUME(a1[BUFSIZ - 1]); // here
  CONSUME(a2[63]); // here
  CONSUME(a3_len); // here
  CONSUME(a4); // here
  CONSUME(a5_len); // here
  CONSUME(a6[0]); // here
}
NOINLINE static void reader(void) {
  setvbuf(fopen("/dev/null", "w"), a0, _IOFBF, 64); // here
  setbuf(fopen("/dev/null", "w"), a1); // here
  setbuffer(fopen("/dev/null", "w"), a2, 64); // here
  fflush(a3_stream); // here
  fclose(a4_stream); // here
  fclose(a5_stream); // here
  CONSUME(fgetws(a6, 64, fopen("/proc/version", "r"))); // here
}

int main(void) {
  a3_stream = open_memstream(&a3, &a3_len);
  a4_stream = open_memstream(&a4, &a4_len);
  a5_stream = open_wmemstream(&a5, &a5_len);
  fputs("text", a3_stream);
  run_accesses(run_two, writer, reader);
}
