// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <iconv.h>

#include "scenario.h"

// Texts from one encoding to another.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
iconv_t one;
char text[] = "text", room[16];
char a0[8] = "UTF-8";
char a1[8] = "text";
char a2[8];
char *a3 = text;
size_t a4 = 16;
iconv_t a5;

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[0] = 'u';
  a1[1] = 'E';
  CONSUME(a2[1]);
  CONSUME(a3);
  CONSUME(a4);
  iconv(a5, NULL, NULL, NULL, NULL);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(iconv_open(a0, "UTF-16"));
  iconv(one, &(char *){a1}, &(size_t){4}, &(char *){room}, &(size_t){16});
  iconv(one, &(char *){text}, &(size_t){4}, &(char *){a2}, &(size_t){8});
  iconv(one, &a3, &(size_t){4}, &(char *){room}, &(size_t){16});
  iconv(one, &(char *){text}, &(size_t){4}, &(char *){room}, &a4);
  iconv(a5, &(char *){text}, &(size_t){4}, &(char *){room}, &(size_t){16});
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  one = iconv_open("LATIN1", "UTF-8");
  a5 = iconv_open("LATIN1", "UTF-8");
  run_accesses(run_two, writer, reader);
}
