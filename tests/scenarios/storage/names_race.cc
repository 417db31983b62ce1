// expect: data race, data race, data race, data race, data race, data race, data race
// names: 'config.limits.low' (int limits::low), 'value.whole' (long number::whole), 'cells<int>[2].next', 'counter()::calls', (flags: ready or busy), 'split.first' (long pair::first), 'split.second' (long pair::second)
#include "scenario.h"

// A member of a nested structure, of a union, of an element of a variable
// template, a static local, bits that share a byte, and members that the
// optimiser makes variables of their own, on one line.
struct limits {
  int low, high;
};
struct settings {
  long id;
  struct limits limits;
} config;
union number {
  long whole;
  char bytes[4];
} value;
struct flags {
  unsigned ready : 1, busy : 1;
} flags;
struct pair {
  long first, second;
};
static struct pair split;
template <class T> struct cell {
  T content;
  cell *next;
};
template <class T> cell<T> cells[4];

NOINLINE static long step() {
  static thread_local long last;
  return ++last;
}

NOINLINE static int &counter() {
  static int calls;
  return calls;
}

NOINLINE static void write_all() {
  config.limits.low = 1; // here
  value.whole = 1; // here
  cells<int>[2].next = cells<int>; // here
  counter() += 3; // here
  flags.busy = 1; // here
  split.first = step(), split.second = step(); // here
}
NOINLINE static void read_all() {
  CONSUME(config.limits.low); // here
  CONSUME(value.whole); // here
  CONSUME(cells<int>[2].next); // here
  CONSUME(counter()); // here
  CONSUME(flags.ready); // here
  CONSUME(split.first); CONSUME(split.second); // here
}

int main() { run_two(write_all, read_all); }
