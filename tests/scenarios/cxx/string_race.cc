// expect: data race
// orders: first-second second-first
// reports: any
#include <string>

#include "scenario.h"

std::string text = "some text that does not fit into the object itself";

NOINLINE static void change() { text[3] = 'X'; }
NOINLINE static void look() { CONSUME(text[3]); }

int main() { run_ordered(change, look); }
