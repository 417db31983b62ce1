// expect: none
// library: dlopen constructed.c
#include <dlfcn.h>

#include "scenario.h"

// As the other, but the second thread begins after the first has ended.
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
  run_joined(first, second);
}
