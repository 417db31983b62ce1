// expect: data race
// orders: first-second second-first
// reports: any
#include <vector>

#include "scenario.h"

std::vector<int> numbers(4);

NOINLINE static void append() { numbers.push_back(1); }
NOINLINE static void measure() { CONSUME(numbers.size()); }

int main() { run_ordered(append, measure); }
