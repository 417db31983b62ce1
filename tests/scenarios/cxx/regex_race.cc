// expect: data race
// reports: any
#include <regex>

#include "scenario.h"

// One expression that a thread replaces while another uses it.
static std::regex expression("(a+)[b-d]*c");

NOINLINE static void use() {
  if (!std::regex_search("xxaabbc", expression)) abort(); // here
}
NOINLINE static void replace() {
  expression = std::regex("a*"); // here
}

int main() {
  run_two(use, replace);
}
