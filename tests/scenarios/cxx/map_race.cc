// expect: data race
// orders: first-second second-first
// reports: any
#include <map>

#include "scenario.h"

// The C++ library links the new node into the tree in code of its own, but the
// number of nodes is counted in code compiled with this file.
std::map<int, int> numbers;

NOINLINE static void insert() { numbers[5] = 1; }
NOINLINE static void measure() { CONSUME(numbers.size()); }

int main() {
  for (int i = 0; i < 20; i += 2) numbers[i] = i;
  run_ordered(insert, measure);
}
