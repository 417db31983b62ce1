// expect: none
// orders: first-second second-first
// flags: -std=c++17
#include <mutex>
#include <shared_mutex>

#include "scenario.h"

// std::scoped_lock takes both without an order of its own.
struct account {
  std::mutex mutex;
  int balance;
};
account accounts[2];
std::shared_mutex table;
std::recursive_mutex nested;

static void transfer(account &from, account &to) {
  std::shared_lock<std::shared_mutex> reader(table);
  std::scoped_lock both(from.mutex, to.mutex);
  std::lock_guard<std::recursive_mutex> outer(nested), inner(nested);
  from.balance--;
  to.balance++;
}
NOINLINE static void first(void) { transfer(accounts[0], accounts[1]); }
NOINLINE static void second(void) { transfer(accounts[1], accounts[0]); }

int main() { run_ordered(first, second); }
