// expect: none
// flags: -std=c++17 -ltbb
// needs: tbb/parallel_for.h
// tsan: false alarm, oneTBB is not instrumented
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include <vector>

#include "scenario.h"

int main() {
  std::vector<int> numbers(10000);
  tbb::parallel_for(0, 10000, [&](int i) { numbers[i] = i; });
  using range = tbb::blocked_range<int>;
  long sum = tbb::parallel_reduce(
      range(0, 10000), 0L,
      [&](const range &part, long before) {
        for (int i = part.begin(); i < part.end(); i++) before += numbers[i];
        return before;
      },
      [](long a, long b) { return a + b; });
  int one = 0, two = 0;
  tbb::task_group group;
  group.run([&] { one = 1; });
  group.run([&] { two = 2; });
  group.wait();
  tbb::spin_mutex mutex;
  int count = 0;
  tbb::parallel_for(0, 100, [&](int) {
    tbb::spin_mutex::scoped_lock lock(mutex);
    count++;
  });
  if (sum != 49995000 || one + two != 3 || count != 100) abort();
}
