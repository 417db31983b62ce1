// One finding of each kind of memory and one about locks, always in the same
// order; names in all shapes: inlined functions, templates, static locals.
#include <mutex>
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

namespace app {
struct Entry {
  long key;
  int uses;
};
Entry table[8];
thread_local int mine;
std::mutex first, second;

template <typename T> inline __attribute__((always_inline)) void touch(T &place) { place = place + 1; }

int *calls() {
  static int number;
  return &number;
}
} // namespace app

static int *block;
static int *of_main;
static app::Entry *on_stack;

static void all(void) {
  app::touch(app::table[3].uses);
  app::touch(*app::calls());
  app::touch(*block);
  app::touch(*of_main);
  app::touch(on_stack->key);
}

static void *early(void *) {
  all();
  {
    std::lock_guard<std::mutex> outer(app::first);
    std::lock_guard<std::mutex> inner(app::second);
  }
  take_step();
  return nullptr;
}

static void *late(void *) {
  wait_for_step(2);
  all();
  std::lock_guard<std::mutex> outer(app::second);
  std::lock_guard<std::mutex> inner(app::first);
  return nullptr;
}

// What the frame of main is like is known once main has called this.
__attribute__((noinline)) static void join(pthread_t (&threads)[2]) {
  take_step();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}

int main() {
  block = static_cast<int *>(calloc(4, sizeof(int)));
  of_main = &app::mine;
  app::Entry entry = {};
  on_stack = &entry;
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, early, nullptr);
  pthread_create(&threads[1], nullptr, late, nullptr);
  join(threads);
  free(block);
}
