// expect: none
// library: dlopen constructed.c
#include <dlfcn.h>

#include "scenario.h"

// Both have opened the library, use it and close it; the last to do so has its
// destructor run.
static void *handles[2];

NOINLINE static void use(void *library) {
  void (*call)(void) = (void (*)(void))dlsym(library, "library_use");
  call();
}

NOINLINE static void first(void) {
  use(handles[0]);
  dlclose(handles[0]);
}

NOINLINE static void second(void) { dlclose(handles[1]); }

int main(void) {
  for (int i = 0; i < 2; ++i) {
    handles[i] = dlopen(LIBRARY_PATH, RTLD_NOW);
    if (!handles[i]) return puts(dlerror()), 1;
  }
  run_two(first, second);
}
