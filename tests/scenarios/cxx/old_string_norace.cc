// expect: none
// flags: -D_GLIBCXX_USE_CXX11_ABI=0
// tsan: false alarm, the count of references is in the C++ library
// Strings of the old kind share their text and count who uses it.
#include <string>
#include <thread>
#include <vector>

#include "scenario.h"

static const std::string text("a text that all of them share");

NOINLINE static void copy_and_change() {
  for (int i = 0; i < 200; i++) {
    std::string mine(text);
    std::vector<std::string> several(3, mine);
    several[i % 3][0] = 'A';
    mine += "!";
    if (several[i % 3].size() + 1 != mine.size()) abort();
  }
}

int main() {
  std::thread one(copy_and_change), two(copy_and_change), three(copy_and_change);
  one.join();
  two.join();
  three.join();
}
