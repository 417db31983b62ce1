// expect: none
// orders: write-read read-write
#include "scenario.h"

// Threads use a local object of main one after the other.
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
  passed->length = 1;
}
NOINLINE static void read_it() {
  CONSUME(passed->length);
}

NOINLINE static void run() { run_accesses(run_joined, write_it, read_it); }

int main() {
  box local(3);
  run();
  local.stop = true;
  CONSUME(local.length);
}
