// expect: none
// also: c++
// tsan: skip, the annotations header is not among its own
#include "racert/annotations.h"
#include "scenario.h"

int main(void) {
  ANNOTATE_IGNORE_SYNC_BEGIN();
  ANNOTATE_IGNORE_SYNC_END();
}
