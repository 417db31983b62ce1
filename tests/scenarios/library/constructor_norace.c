// expect: none
// library: dlopen constructed.c
#include <dlfcn.h>

#include "scenario.h"

// Both open the library; whoever comes first has its constructor run.
NOINLINE static void look(void) {
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  int (*call)(void) = (int (*)(void))dlsym(library, "library_look");
  if (call() != 42) exit(1);
}

NOINLINE static void first(void) { look(); }
NOINLINE static void second(void) { look(); }

int main(void) { run_two(first, second); }
