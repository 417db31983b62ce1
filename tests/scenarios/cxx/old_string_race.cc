// expect: data race
// flags: -D_GLIBCXX_USE_CXX11_ABI=0
// One thread changes a letter that another reads.
#include <string>

#include "scenario.h"

std::string text("a text that both of them use");

NOINLINE static void first() {
  text[0] = 'A'; // here
}

NOINLINE static void second() {
  const std::string &same = text;
  CONSUME(same[0]); // here
}

int main() { run_two(first, second); }
