// expect: none
// orders: first-second second-first
#include <map>
#include <mutex>

#include "scenario.h"

std::map<int, int> numbers;
std::mutex mutex;

NOINLINE static void insert() {
  std::lock_guard<std::mutex> guard(mutex);
  numbers[5] = 1;
  numbers.erase(2);
}
NOINLINE static void find() {
  std::lock_guard<std::mutex> guard(mutex);
  CONSUME(numbers.find(4) == numbers.end());
}

int main() {
  for (int i = 0; i < 20; i += 2) numbers[i] = i;
  run_ordered(insert, find);
}
