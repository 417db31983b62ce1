// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lcrypt
// needs: crypt.h
// names: #0 crypt (, #0 crypt_r (, the buffer of crypt
// reports: any
// tsan: skip, it does not know all of the functions
#include <crypt.h>

#include "scenario.h"

// Passwords.
struct crypt_data memory;
char a0[8] = "word";
char a1[8] = "ab";
struct crypt_data a2;

NOINLINE static void writer(void) {
  a0[1] = *crypt("one", "ab"); // here
  a1[1] = 'B'; // here
  CONSUME(a2.output[0]); // here
}
NOINLINE static void reader(void) {
  CONSUME(crypt(a0, "ab")); // here
  CONSUME(crypt_r("word", a1, &memory)); // here
  CONSUME(crypt_r("word", "ab", &a2)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
