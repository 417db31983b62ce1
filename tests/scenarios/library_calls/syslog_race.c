// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE -Wno-format-security -Wno-format-extra-args
// names: #0 syslog (
// reports: any
// tsan: skip, it does not know all of the functions
#include <stdarg.h>
#include <syslog.h>

#include "scenario.h"

// Messages to the log.
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
  a0[1] = 'E'; // here
  a1[1] = 'E'; // here
  a2[1] = 'E'; // here
}
NOINLINE static void reader(void) {
  syslog(LOG_DEBUG, "%s", a0); // here
  syslog(LOG_DEBUG, a1, NULL); // here
  message("%d %s", 1, a2); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
