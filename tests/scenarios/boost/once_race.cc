// expect: data race
// flags: -std=c++17 -lboost_thread -lboost_system
// needs: boost/thread/once.hpp
// orders: first-second second-first
// names: value
#include <boost/thread/once.hpp>

#include "scenario.h"

// As the twin, but one thread writes without having called the library.
boost::once_flag once = BOOST_ONCE_INIT;
int value;

NOINLINE static void initialise() { value = 1; } // here
NOINLINE static void first(void) { boost::call_once(once, initialise); }
NOINLINE static void second(void) { value = 2; } // here

int main() { run_ordered(first, second); }
