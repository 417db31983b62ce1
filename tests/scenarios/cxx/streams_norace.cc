// expect: none
// Streams of their own, locales that are shared, and the standard stream.
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <thread>

#include "scenario.h"

NOINLINE static void print() {
  for (int i = 0; i < 100; i++) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::setw(8) << i << ' ' << 2.5 * i << ' ' << std::hex << i;
    std::istringstream in(out.str());
    std::locale shared;
    in.imbue(shared);
    int number = -1;
    double half = 0;
    in >> number >> half;
    if (number != i) abort();
    std::cerr << "";
    std::cout << std::flush;
  }
}

int main() {
  std::thread one(print), two(print), three(print);
  one.join();
  two.join();
  three.join();
}
