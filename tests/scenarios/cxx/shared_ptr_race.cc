// expect: data race
// orders: first-second second-first
// reports: any
#include <memory>

#include "scenario.h"

// One shared_ptr object used by two threads, not two copies of it.
std::shared_ptr<int> shared = std::make_shared<int>(1);

NOINLINE static void replace() { shared = std::make_shared<int>(2); }
NOINLINE static void copy() { CONSUME(shared.get()); }

int main() { run_ordered(replace, copy); }
