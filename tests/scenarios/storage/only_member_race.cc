// expect: data race, data race
// names: 'journal.ticks' (long Journal::ticks), 'Journal.ticks' (long Journal::ticks)
#include <memory>
#include <thread>

#include "scenario.h"

// The only member of a class, and that of one which std::make_unique made.
struct Journal {
  long ticks = 0;
};
Journal journal;
std::unique_ptr<Journal> spare = std::make_unique<Journal>();

int main() {
  std::thread first([] {
    journal.ticks = 1; // here
    spare->ticks = 1; // here
    take_step();
  });
  std::thread second([] {
    wait_for_step(1);
    journal.ticks = 2; // here
    spare->ticks = 2; // here
  });
  first.join();
  second.join();
  CONSUME(journal.ticks);
}
