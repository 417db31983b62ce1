// expect: expected race did not happen, unbalanced annotation
// names: in the child
// reports: 3
// tsan: skip, the annotations header is not among its own
#include <sys/wait.h>
#include <unistd.h>

#include "racert/annotations.h"
#include "scenario.h"

// What a forked child annotates, it has to end and to meet itself.
int shared;

NOINLINE static void first(void) { shared = 1; }
NOINLINE static void second(void) { shared = 2; }

int main(void) {
  int status;
  ANNOTATE_EXPECT_RACE(&shared, "two plain writes");
  pid_t child = fork();
  if (child == 0) {
    ANNOTATE_EXPECT_RACE(&shared, "in the child"); // here
    ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN(); // here
    exit(0);
  }
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
  run_two(first, second);
  return WEXITSTATUS(status);
}
