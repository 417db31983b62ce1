// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
#include <stdarg.h>

#include "scenario.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char shared[64] = "some text";

NOINLINE static void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(shared, sizeof shared, format, arguments);
  va_end(arguments);
}

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  print("%d", 7);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  CONSUME(shared[0]);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
