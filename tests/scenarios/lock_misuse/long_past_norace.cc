// expect: none
// A deadline before the clock began, as who does not want to wait may give it.
#include <chrono>
#include <condition_variable>

#include "scenario.h"

int main() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(mutex);
  using Clock = std::chrono::steady_clock;
  Clock::time_point past{std::chrono::milliseconds(-1500)};
  if (condition.wait_until(lock, past) != std::cv_status::timeout) abort();
  if (condition.wait_until(lock, past, [] { return false; })) abort();
}
