// expect: none
// orders: write-read read-write
// flags: -flto=full -fuse-ld=lld-{llvm}
#include "scenario.h"

int shared;

NOINLINE static void write_it(void) { shared = 1; }
NOINLINE static void read_it(void) { CONSUME(shared); }

int main(void) { run_accesses(run_joined, write_it, read_it); }
