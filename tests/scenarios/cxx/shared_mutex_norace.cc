// expect: none
// orders: write-read read-write write-write
#include <mutex>
#include <shared_mutex>

#include "scenario.h"

std::shared_mutex mutex;
int shared;

NOINLINE static void write_it() {
  std::unique_lock<std::shared_mutex> guard(mutex);
  shared = 1;
}
NOINLINE static void read_it() {
  std::shared_lock<std::shared_mutex> guard(mutex);
  CONSUME(shared);
}

int main() { run_accesses(run_two, write_it, read_it); }
