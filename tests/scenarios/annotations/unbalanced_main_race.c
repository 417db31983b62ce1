// expect: unbalanced annotation
// also: c++
// names: synchronisation is still ignored
// tsan: skip, it stops the program
#include "racert/annotations.h"
#include "scenario.h"

int main(void) {
  ANNOTATE_IGNORE_SYNC_BEGIN(); // here
}
