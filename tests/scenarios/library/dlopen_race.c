// expect: data race
// library: dlopen plugin.c
// names: plugin_count, plugin.c:4
#include <dlfcn.h>

#include "scenario.h"

void (*count)(void);

NOINLINE static void first(void) { count(); }
NOINLINE static void second(void) { count(); }

int main(void) {
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  count = (void (*)(void))dlsym(library, "plugin_count");
  run_two(first, second);
}
