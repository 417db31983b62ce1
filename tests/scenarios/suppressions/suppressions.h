// What the scenarios about suppressions share: the program's own are quiet at
// exit.
#ifndef SUPPRESSIONS_H
#define SUPPRESSIONS_H

#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif
const char *__tsan_default_options(void);
const char *__tsan_default_suppressions(void);
#ifdef __cplusplus
}
#endif

const char *__tsan_default_options(void) { return "print_suppressions=0"; }

#endif
