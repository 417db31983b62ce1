// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 iconv_open (, #0 iconv (
// reports: any
// tsan: skip, it does not know all of the functions
#include <iconv.h>

#include "scenario.h"

// Texts from one encoding to another.
iconv_t one;
char text[] = "text", room[16];
char a0[8] = "UTF-8";
char a1[8] = "text";
char a2[8];
char *a3 = text;
size_t a4 = 16;
iconv_t a5;

NOINLINE static void writer(void) {
  a0[0] = 'u'; // here
  a1[1] = 'E'; // here
  CONSUME(a2[1]); // here
  CONSUME(a3); // here
  CONSUME(a4); // here
  iconv(a5, NULL, NULL, NULL, NULL); // here
}
NOINLINE static void reader(void) {
  CONSUME(iconv_open(a0, "UTF-16")); // here
  iconv(one, &(char *){a1}, &(size_t){4}, &(char *){room}, &(size_t){16}); // here
  iconv(one, &(char *){text}, &(size_t){4}, &(char *){a2}, &(size_t){8}); // here
  iconv(one, &a3, &(size_t){4}, &(char *){room}, &(size_t){16}); // here
  iconv(one, &(char *){text}, &(size_t){4}, &(char *){room}, &a4); // here
  iconv(a5, &(char *){text}, &(size_t){4}, &(char *){room}, &(size_t){16}); // here
}

int main(void) {
  one = iconv_open("LATIN1", "UTF-8");
  a5 = iconv_open("LATIN1", "UTF-8");
  run_accesses(run_two, writer, reader);
}
