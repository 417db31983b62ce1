// expect: data race, data race, data race, data race
// names: 'config.limits.low' (int limits::low), global 'value' (number), 'cells<int>[2].next', 'counter()::calls'
#include "scenario.h"

// A member of a nested structure, of a union, of an element of a variable
// template, and a static local.
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
  config.limits.low = 1; // here
  value.whole = 1; // here
  cells<int>[2].next = cells<int>; // here
  counter() += 3; // here
}
NOINLINE static void read_all() {
  CONSUME(config.limits.low); // here
  CONSUME(value.whole); // here
  CONSUME(cells<int>[2].next); // here
  CONSUME(counter()); // here
}

int main() { run_two(write_all, read_all); }
