// expect: data race
// library: dlopen writer.c
// names: shared, library_write, writer.c:3
#include <dlfcn.h>

#include "scenario.h"

// The report names code of a library that is gone.
int shared;

static void *in_library(void *library) {
  void (*write)(int *) = (void (*)(int *))dlsym(library, "library_write");
  write(&shared);
  take_step();
  wait_for_step(2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *library = dlopen(LIBRARY_PATH, RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  pthread_create(&thread, NULL, in_library, library);
  wait_for_step(1);
  dlclose(library);
  shared = 2; // here
  take_step();
  pthread_join(thread, NULL);
}
