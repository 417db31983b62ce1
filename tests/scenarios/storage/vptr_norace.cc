// expect: none
#include <new>

#include "scenario.h"

// A destructor without a derived part stores the same table pointer again, and
// two threads make virtual calls.
struct base {
  virtual int call() { return 1; }
  virtual ~base() {}
};
struct derived : base {
  int call() override { return 2; }
};

alignas(derived) char room[sizeof(derived)];
base *object;

NOINLINE static void use() { CONSUME(object->call()); }
NOINLINE static void use_again() { CONSUME(object->call()); }

int main() {
  object = new (room) derived;
  run_two(use, use_again);
  object->~base();
}
