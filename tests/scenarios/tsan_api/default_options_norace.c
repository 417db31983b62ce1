// expect: none
// also: c++
#include "scenario.h"

#ifdef __cplusplus
extern "C"
#endif
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "report_bugs=0"; }

int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) { run_two(first, second); }
