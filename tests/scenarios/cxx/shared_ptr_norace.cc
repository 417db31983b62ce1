// expect: none
// orders: first-second second-first
#include <memory>

#include "scenario.h"

// Each thread drops its own copy; the last one destroys the object, and the
// reference count orders the uses before that.
struct object {
  int values[2] = {0, 0};
  ~object() { CONSUME(values[0] + values[1]); }
};
std::shared_ptr<object> copies[2];

NOINLINE static void use_first() {
  copies[0]->values[0] = 1;
  copies[0].reset();
}
NOINLINE static void use_second() {
  copies[1]->values[1] = 2;
  copies[1].reset();
}

int main() {
  copies[0] = std::make_shared<object>();
  copies[1] = copies[0];
  run_ordered(use_first, use_second);
}
