// The other half, as C.
#include "part.h"

#include <stdlib.h>
#include <string.h>

void touch(int value) {
  shared = value; // race
}

void fill(struct record *record, int number) {
  struct record made;
  memset(&made, 0, sizeof made);
  made.tag = (char)number;
  made.number = number;
  made.wide = number;
  made.half = (short)number;
  made.real = number;
  memcpy(record, &made, sizeof made);
}

void check_sum(const struct record *record, int number) {
  if (record->number + record->wide + record->half + record->real != 4.0 * number) abort();
}
