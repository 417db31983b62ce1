// expect: none
// flags: -std=c++17 -lboost_thread -lboost_system
// needs: boost/thread/once.hpp
// orders: first-second second-first
// tsan: false alarm, Boost.Thread is not instrumented
#include <boost/thread/once.hpp>

#include "scenario.h"

// Only the library knows who ran the routine; the next one finds it done.
boost::once_flag once = BOOST_ONCE_INIT;
int tries, value;

static void initialise() {
  tries++;
  if (tries == 1) throw 1;
  value = 1;
}
NOINLINE static void either(void) {
  try {
    boost::call_once(once, initialise);
    CONSUME(value);
  } catch (int) {
    boost::call_once(once, initialise);
  }
}
NOINLINE static void first(void) { either(); }
NOINLINE static void second(void) { either(); }

int main() {
  run_ordered(first, second);
  return value == 1 && tries == 2 ? 0 : 1;
}
