// expect: data race
// orders: write-read read-write
// names: 'main::local.length' (int box::length)
#include "scenario.h"

// A local object of which the optimiser keeps some members in registers: the
// debug information describes it piece by piece.
struct box {
  long zero = 0;
  long pads[6] = {};
  bool stop = false;
  int length = 0;
  explicit box(int length);
};
box *passed;
box::box(int length) : length(length) { passed = this; }

NOINLINE static void write_it() {
  passed->length = 1; // here
}
NOINLINE static void read_it() {
  CONSUME(passed->length); // here
}

NOINLINE static void run() { run_accesses(run_two, write_it, read_it); }

int main() {
  box local(3);
  run();
  local.stop = true;
  CONSUME(local.length);
}
