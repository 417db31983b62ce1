// expect: data race
// also: c++
// names: shared
// exit: 7
// What the program says in ThreadSanitizer's way counts; unknown keys do not.
#include "scenario.h"

#ifdef __cplusplus
extern "C"
#endif
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "exitcode=7:history_size=2"; }

int shared;

NOINLINE static void first(void) {
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) { run_two(first, second); }
