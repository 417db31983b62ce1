// expect: none
// tsan: false alarm, the count of references is in the C++ library
// An exception that one thread throws and another looks at and drops.
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "scenario.h"

std::mutex mutex;
std::exception_ptr thrown;

NOINLINE static void thrower() {
  for (int i = 0; i < 100; i++) {
    std::exception_ptr here;
    try {
      throw std::runtime_error("text " + std::to_string(i));
    } catch (...) {
      here = std::current_exception();
    }
    std::lock_guard<std::mutex> guard(mutex);
    thrown = here;
  }
}

NOINLINE static void catcher() {
  for (int i = 0; i < 100; i++) {
    std::exception_ptr here;
    {
      std::lock_guard<std::mutex> guard(mutex);
      here = thrown;
    }
    try {
      if (here) std::rethrow_exception(here);
    } catch (const std::runtime_error &error) {
      if (error.what()[0] != 't') abort();
    }
  }
}

int main() {
  std::thread one(thrower), two(catcher), three(catcher);
  one.join();
  two.join();
  three.join();
}
