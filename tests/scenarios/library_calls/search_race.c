// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 tsearch (, #0 tfind (, #0 tdelete (, #0 twalk (, #0 hcreate_r (, #0 hsearch_r (, #0 lsearch (, #0 lfind (, #0 hdestroy_r (
// reports: any
// tsan: skip, it does not know all of the functions
#include <search.h>

#include "scenario.h"

// Trees, tables and lists in which libc searches.
struct hsearch_data table;
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int compare_numbers(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void visit(const void *node, VISIT order, int depth) {
  (void)node, (void)order, (void)depth;
}
void *a0;
void *a1;
void *a2;
void *a3, *a3_root;
struct hsearch_data a4;
struct hsearch_data a5;
ENTRY *a6;
int a7[4] = {1, 2};
size_t a7_count = 2;
int a8[4] = {1, 2};
size_t a8_count = 2;
size_t a9_count = 2;
struct hsearch_data a10;

NOINLINE static void writer(void) {
  CONSUME(a0); // here
  tsearch("3", &a1, compare); // here
  CONSUME(a2); // here
  tsearch("3", &a3, compare); // here
  CONSUME(a4); // here
  hsearch_r((ENTRY){"3", NULL}, ENTER, &(ENTRY *){NULL}, &a5); // here
  CONSUME(a6); // here
  CONSUME(a7_count); // here
  CONSUME(a8[2]); // here
  a9_count = 1; // here
  CONSUME(a10); // here
}
NOINLINE static void reader(void) {
  tsearch("1", &a0, compare); // here
  CONSUME(tfind("2", &a1, compare)); // here
  tdelete("2", &a2, compare); // here
  twalk(a3_root, visit); // here
  hcreate_r(4, &a4); // here
  hsearch_r((ENTRY){"2", NULL}, FIND, &(ENTRY *){NULL}, &a5); // here
  hsearch_r((ENTRY){"2", NULL}, FIND, &a6, &table); // here
  lsearch(&(int){5}, a7, &a7_count, sizeof *a7, compare_numbers); // here
  lsearch(&(int){5}, a8, &a8_count, sizeof *a8, compare_numbers); // here
  lfind(&(int){5}, (int[2]){1, 2}, &a9_count, sizeof(int), compare_numbers); // here
  hdestroy_r(&a10); // here
}

int main(void) {
  tsearch("2", &a1, compare);
  tsearch("2", &a2, compare);
  tsearch("2", &a3, compare);
  a3_root = a3;
  hcreate_r(4, &a5);
  hcreate_r(4, &table);
  hcreate_r(4, &a10);
  run_accesses(run_two, writer, reader);
}
