// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <search.h>

#include "scenario.h"

// Trees, tables and lists in which libc searches.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  CONSUME(a0);
  tsearch("3", &a1, compare);
  CONSUME(a2);
  tsearch("3", &a3, compare);
  CONSUME(a4);
  hsearch_r((ENTRY){"3", NULL}, ENTER, &(ENTRY *){NULL}, &a5);
  CONSUME(a6);
  CONSUME(a7_count);
  CONSUME(a8[2]);
  a9_count = 1;
  CONSUME(a10);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  tsearch("1", &a0, compare);
  CONSUME(tfind("2", &a1, compare));
  tdelete("2", &a2, compare);
  twalk(a3_root, visit);
  hcreate_r(4, &a4);
  hsearch_r((ENTRY){"2", NULL}, FIND, &(ENTRY *){NULL}, &a5);
  hsearch_r((ENTRY){"2", NULL}, FIND, &a6, &table);
  lsearch(&(int){5}, a7, &a7_count, sizeof *a7, compare_numbers);
  lsearch(&(int){5}, a8, &a8_count, sizeof *a8, compare_numbers);
  lfind(&(int){5}, (int[2]){1, 2}, &a9_count, sizeof(int), compare_numbers);
  hdestroy_r(&a10);
  pthread_mutex_unlock(&mutex);
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
