// expect: data race
// orders: write-read read-write write-write
// also: c++
// names: global 'list.table[17].next', part of 'list', declared at
#include "scenario.h"

struct node {
  int value;
  struct node *next;
};

struct {
  long count;
  struct node table[20];
} list;

NOINLINE static void write_it(void) {
  list.table[17].next = list.table; // here
}
NOINLINE static void read_it(void) {
  CONSUME(list.table[17].next); // here: write-read read-write
}

int main(void) { run_accesses(run_two, write_it, read_it); }
