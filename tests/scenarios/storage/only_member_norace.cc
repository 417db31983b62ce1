// expect: none
#include <memory>
#include <thread>

#include "scenario.h"

// As in only_member_race, one thread after the other.
struct Journal {
  long ticks = 0;
};
Journal journal;
std::unique_ptr<Journal> spare = std::make_unique<Journal>();

int main() {
  std::thread first([] {
    journal.ticks = 1;
    spare->ticks = 1;
  });
  first.join();
  std::thread second([] {
    journal.ticks = 2;
    spare->ticks = 2;
  });
  second.join();
  CONSUME(journal.ticks);
}
