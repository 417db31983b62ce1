// expect: none
// tsan: false alarm, it takes the table for the program's
#include <regex>

#include "scenario.h"

// libstdc++ fills a table in the locale while it compiles an expression.
NOINLINE static void compile() {
  std::regex expression("(a+)[b-d]*c");
  if (!std::regex_search("xxaabbc", expression)) abort();
}

int main() {
  run_two(compile, compile);
}
