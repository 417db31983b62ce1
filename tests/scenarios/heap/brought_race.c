// expect: data race
// with: bringing.c
// orders: first-second second-first
#include "scenario.h"

// The program brings a malloc; a thread gives a block back that another uses.
int *block;

NOINLINE static void use(void) { block[3] = 1; }  // here
NOINLINE static void give_back(void) { free(block); }  // here

int main(void) {
  block = calloc(16, sizeof *block);
  run_ordered(use, give_back);
}
