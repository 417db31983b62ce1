// expect: data race
// flags: -std=c++17 -ltbb
// needs: tbb/queuing_rw_mutex.h
// names: one
// reports: any
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>

#include "scenario.h"

// Locks whose code is in oneTBB's library.
static tbb::queuing_rw_mutex queuing;
static tbb::speculative_spin_mutex speculative;
static tbb::speculative_spin_rw_mutex shared;
static int one, two, three, four;

NOINLINE static void work() {
  one++; // here
  {
    tbb::queuing_rw_mutex::scoped_lock lock(queuing, true);
    one++;
  }
  {
    tbb::queuing_rw_mutex::scoped_lock lock(queuing, false);
    CONSUME(one);
    lock.upgrade_to_writer();
    two++;
    lock.downgrade_to_reader();
    CONSUME(two);
  }
  {
    tbb::speculative_spin_mutex::scoped_lock lock(speculative);
    three++;
  }
  {
    tbb::speculative_spin_rw_mutex::scoped_lock lock;
    if (!lock.try_acquire(shared, true)) abort();
    four++;
  }
}

int main() {
  run_two(work, work);
}
