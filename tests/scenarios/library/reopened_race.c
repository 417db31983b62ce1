// expect: data race
// library: dlopen constructed.c
// names: library_use
#include <dlfcn.h>

#include "scenario.h"

// One closes the library before the other opens it, but it stays loaded. That
// is an order that the two have by chance.
NOINLINE static void use(void) {
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  void (*call)(void) = (void (*)(void))dlsym(library, "library_use");
  call();
  dlclose(library);
}

NOINLINE static void first(void) { use(); }
NOINLINE static void second(void) { use(); }

int main(void) {
  if (!dlopen(LIBRARY_PATH, RTLD_NOW)) return puts(dlerror()), 1;
  run_two(first, second);
}
