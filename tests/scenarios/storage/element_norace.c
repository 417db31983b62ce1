// expect: none
// orders: write-read read-write write-write
// also: c++
#include "scenario.h"

// As the twin, but the elements differ.
struct node {
  int value;
  struct node *next;
};

struct {
  long count;
  struct node table[20];
} list;

NOINLINE static void write_it(void) {
  list.table[17].next = list.table;
}
NOINLINE static void read_it(void) {
  CONSUME(list.table[16].next);
}

int main(void) {
  if (ordered("read-write"))
    run_two(read_it, write_it);
  else
    run_two(write_it, read_it);
}
