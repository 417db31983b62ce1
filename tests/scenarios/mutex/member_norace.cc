// expect: none
#include "scenario.h"

#include <mutex>

// Locks that are members: of a local variable, and of an object on the heap, which
// both threads take.
struct account {
  long id;
  std::mutex guard;
};

static account *local, *one, *other;
static int total;

static void with_one() {
  std::lock_guard<std::mutex> here(local->guard);
  std::lock_guard<std::mutex> there(one->guard);
  total++;
}
static void with_other() {
  std::lock_guard<std::mutex> there(one->guard);
  total++;
}

NOINLINE static account *make() { return new account; }

NOINLINE static void run() { run_two(with_one, with_other); }

int main() {
  account first;
  local = &first;
  one = make();
  other = make();
  run();
  delete one;
  delete other;
}
