// expect: none
#include "scenario.h"

// A member of a nested structure, of a union, of an element of a variable
// template, and a static local; the threads run one after the other.
struct limits {
  int low, high;
};
struct settings {
  long id;
  struct limits limits;
} config;
union number {
  long whole;
  char bytes[8];
} value;
template <class T> struct cell {
  T content;
  cell *next;
};
template <class T> cell<T> cells[4];

NOINLINE static int &counter() {
  static int calls;
  return calls;
}

NOINLINE static void write_all() {
  config.limits.low = 1;
  value.whole = 1;
  cells<int>[2].next = cells<int>;
  counter() += 3;
}
NOINLINE static void read_all() {
  CONSUME(config.limits.low);
  CONSUME(value.whole);
  CONSUME(cells<int>[2].next);
  CONSUME(counter());
}

int main() { run_joined(write_all, read_all); }
