// expect: none
#include "scenario.h"

// A member of a nested structure, of a union, of an element of a variable
// template, a static local, bits that share a byte, and members that the
// optimiser makes variables of their own; the threads run one after the other.
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
  config.limits.low = 1;
  value.whole = 1;
  cells<int>[2].next = cells<int>;
  counter() += 3;
  flags.busy = 1;
  split.first = step(), split.second = step();
}
NOINLINE static void read_all() {
  CONSUME(config.limits.low);
  CONSUME(value.whole);
  CONSUME(cells<int>[2].next);
  CONSUME(counter());
  CONSUME(flags.ready);
  CONSUME(split.first); CONSUME(split.second);
}

int main() { run_joined(write_all, read_all); }
