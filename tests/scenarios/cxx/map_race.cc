// expect: data race
// orders: first-second second-first
// reports: any
#include <map>

#include "scenario.h"

std::map<int, int> numbers;

NOINLINE static void insert() { numbers[5] = 1; }
NOINLINE static void find() { CONSUME(numbers.find(4) == numbers.end()); }

int main() {
  for (int i = 0; i < 20; i += 2) numbers[i] = i;
  run_ordered(insert, find);
}
