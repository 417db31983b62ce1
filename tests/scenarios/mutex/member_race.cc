// expect: data race
// names: mutex 'main::first.guard', mutex 'account.guard' (M1), mutex 'account.guard' (M3)
// modes: hybrid
#include "scenario.h"

#include <mutex>

// Locks that are members: of a local variable, and of two objects of one class
// on the heap.
struct account {
  long id;
  std::mutex guard;
};

static account *local, *one, *other;
static int total;

static void with_one() {
  std::lock_guard<std::mutex> here(local->guard);
  std::lock_guard<std::mutex> there(one->guard);
  total++; // here
}
static void with_other() {
  std::lock_guard<std::mutex> there(other->guard);
  total++; // here
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
