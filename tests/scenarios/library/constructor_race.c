// expect: data race
// library: dlopen constructed.c
// names: fill, library_look
#include <dlfcn.h>

#include "scenario.h"

// Only one opens the library. The other gets the function by chance, and
// nothing says that the constructor was done.
static int (*call)(void);

NOINLINE __attribute__((disable_sanitizer_instrumentation)) static void hand_over(void *library) {
  call = (int (*)(void))dlsym(library, "library_look");
}

NOINLINE __attribute__((disable_sanitizer_instrumentation)) static void take(void) { call(); }

NOINLINE static void first(void) {
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  hand_over(library);
}

NOINLINE static void second(void) { take(); }

int main(void) { run_two(first, second); }
