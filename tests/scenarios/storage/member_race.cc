// expect: data race
// orders: write-read read-write write-write
// names: 'counter.value_' (int counter::value_), counter::add
#include "scenario.h"

class counter {
 public:
  NOINLINE void add(int n) {
    value_ += n; // here
  }
  NOINLINE int get() const {
    return value_; // here: write-read read-write
  }

 private:
  [[maybe_unused]] long other_ = 0;
  int value_ = 0;
};

counter *shared;

static void write_it() { shared->add(1); }
static void read_it() { CONSUME(shared->get()); }

int main() {
  shared = new counter;
  run_accesses(run_two, write_it, read_it);
  delete shared;
}
