// expect: data race
// library: dlopen constructed.c
// names: empty, library_use
#include <dlfcn.h>

#include "scenario.h"

// One uses the library, the other closes it: it goes while it may be in use.
static void *library;

NOINLINE static void first(void) {
  void (*call)(void) = (void (*)(void))dlsym(library, "library_use");
  call();
}

NOINLINE static void second(void) { dlclose(library); }

int main(void) {
  library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  run_two(first, second);
}
