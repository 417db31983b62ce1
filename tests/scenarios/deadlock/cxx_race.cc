// expect: lock-order inversion (potential deadlock)
// orders: first-second second-first
// names: 'accounts'
#include <mutex>

#include "scenario.h"

// Two transfers in opposite directions.
struct account {
  std::mutex mutex;
  int balance;
};
account accounts[2];

static void transfer(account &from, account &to) {
  std::lock_guard<std::mutex> one(from.mutex); // here
  std::lock_guard<std::mutex> other(to.mutex); // here
  from.balance--;
  to.balance++;
}
NOINLINE static void first(void) { transfer(accounts[0], accounts[1]); }
NOINLINE static void second(void) { transfer(accounts[1], accounts[0]); }

int main() { run_ordered(first, second); }
