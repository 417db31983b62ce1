// expect: none
// flags: -D_GNU_SOURCE
// A thread that is created by what the loader says comes next.
#include <dlfcn.h>

#include "scenario.h"

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int shared;

NOINLINE static void *use(void *argument) {
  shared += 1;
  return argument;
}

int main(void) {
  create_function *create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
  pthread_t thread;
  shared = 1;
  create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
}
