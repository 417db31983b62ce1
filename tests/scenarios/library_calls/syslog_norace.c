// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -Wno-format-security -Wno-format-extra-args
#include <stdarg.h>
#include <syslog.h>

#include "scenario.h"

// Messages to the log.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void message(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsyslog(LOG_DEBUG, format, list);
  va_end(list);
}
char a0[8] = "text";
char a1[8] = "text";
char a2[8] = "text";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[1] = 'E';
  a1[1] = 'E';
  a2[1] = 'E';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  syslog(LOG_DEBUG, "%s", a0);
  syslog(LOG_DEBUG, a1, NULL);
  message("%d %s", 1, a2);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
