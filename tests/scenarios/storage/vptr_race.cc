// expect: data race on a vtable pointer
// reports: any
#include <new>

#include "scenario.h"

// A destructor puts the base class's table pointer back while another thread
// makes a virtual call.
struct base {
  virtual int call() { return 1; }
  virtual ~base() { CONSUME(this); }
};
struct derived : base {
  int call() override { return 2; }
  ~derived() override {}
};

alignas(derived) char room[sizeof(derived)];
base *object;

NOINLINE static void use() {
  CONSUME(object->call()); // here
}
NOINLINE static void destroy() { object->~base(); }

int main() {
  object = new (room) derived;
  run_two(use, destroy);
}
