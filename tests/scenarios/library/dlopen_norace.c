// expect: none
// library: dlopen plugin.c
#include <dlfcn.h>

#include "scenario.h"

// Loaded, used by two threads in order, unloaded, loaded again: the new copy's
// data may lie where the old one's was.
void (*count)(void);

NOINLINE static void first(void) { count(); }
NOINLINE static void second(void) { count(); }

int main(void) {
  for (int round = 0; round < 5; ++round) {
    void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
    if (!library) return puts(dlerror()), 1;
    count = (void (*)(void))dlsym(library, "plugin_count");
    run_joined(first, second);
    dlclose(library);
  }
}
