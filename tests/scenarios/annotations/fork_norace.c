// expect: none
// tsan: skip, the annotations header is not among its own
// orders: left ended
#include <sys/wait.h>
#include <unistd.h>

#include "racert/annotations.h"
#include "scenario.h"

// What was annotated before a fork is for the parent to end, and for the parent
// to meet; a child that does neither is no mistake.
int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  int status;
  ANNOTATE_EXPECT_RACE(&shared, "two plain writes");
  ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
  pid_t child = fork();
  if (child == 0) {
    if (ordered("ended")) ANNOTATE_IGNORE_READS_AND_WRITES_END();
    exit(0);
  }
  ANNOTATE_IGNORE_READS_AND_WRITES_END();
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  run_two(first, second);
  return 0;
}
