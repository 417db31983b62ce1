// expect: none
// library: dlopen writer.c
#include <dlfcn.h>

#include "scenario.h"

// A library's data has no history once it is loaded again.
static void count(void *library) {
  int (*call)(void) = (int (*)(void))dlsym(library, "library_count");
  if (call() != 1) exit(1);
}

static void *load(void *unused) {
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  count(library);
  dlclose(library);
  take_step();
  wait_for_step(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, load, NULL);
  wait_for_step(1);
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  count(library);
  take_step();
  pthread_join(thread, NULL);
}
