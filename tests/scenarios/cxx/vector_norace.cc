// expect: none
// orders: first-second second-first
#include <vector>

#include "scenario.h"

// Different elements of one vector, and its size, which nobody changes.
std::vector<int> numbers(100);

NOINLINE static void fill_low() {
  for (std::size_t i = 0; i < numbers.size() / 2; ++i) numbers[i] = 1;
}
NOINLINE static void fill_high() {
  for (std::size_t i = numbers.size() / 2; i < numbers.size(); ++i) numbers[i] = 2;
}

int main() { run_ordered(fill_low, fill_high); }
