// expect: data race
// orders: write-read
// opt: O1
// flags: -fno-builtin
// names: #0 readdir (
#include <dirent.h>

#include "scenario.h"

DIR *folder;

NOINLINE static void writer(void) {
  CONSUME(readdir(folder)); // here
}
NOINLINE static void reader(void) {
  CONSUME(readdir(folder)); // here
}

int main(void) {
  folder = opendir("/proc/self");
  run_accesses(run_two, writer, reader);
}
