// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -lcrypt
// needs: crypt.h
#include <crypt.h>

#include "scenario.h"

// Passwords.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct crypt_data memory;
char a0[8] = "word";
char a1[8] = "ab";
struct crypt_data a2;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[1] = *crypt("one", "ab");
  a1[1] = 'B';
  CONSUME(a2.output[0]);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(crypt(a0, "ab"));
  CONSUME(crypt_r("word", a1, &memory));
  CONSUME(crypt_r("word", "ab", &a2));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
