// expect: none
// flags: -std=c++20
// orders: first-second second-first
#include <atomic>
#include <memory>

#include "scenario.h"

std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};
std::atomic<std::weak_ptr<int>> latest;

NOINLINE static void first() {
  std::shared_ptr<int> seen = current.load();
  CONSUME(*seen);
  latest.store(seen);
  std::shared_ptr<int> other;
  current.compare_exchange_strong(other, nullptr, std::memory_order_relaxed);
}
NOINLINE static void second() {
  auto mine = std::make_shared<int>(2);
  *mine = 3;
  current.store(mine);
  if (auto seen = latest.load().lock()) CONSUME(*seen);
}

int main() { run_ordered(first, second); }
