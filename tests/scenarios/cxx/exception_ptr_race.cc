// expect: data race
// names: thrown
// reports: any
// One thread replaces the pointer while the other copies it.
#include <exception>
#include <stdexcept>

#include "scenario.h"

std::exception_ptr thrown;

NOINLINE static void thrower() { thrown = std::make_exception_ptr(std::runtime_error("text")); }

NOINLINE static void catcher() { std::exception_ptr here = thrown; }

int main() { run_two(thrower, catcher); }
