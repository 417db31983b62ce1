// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: skip, it does not know all of the functions
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// What another program would be run with, if there were one, is only read.
#define NO_PROGRAM "/nonexistent/program"

static char *words[] = {(char *)"program", NULL};
char path[32] = NO_PROGRAM;
char word[8] = "word";
char name[8] = "A=1";

NOINLINE static void check(int result, int error) {
  if (result != -1 || errno != error) abort();
}

NOINLINE static void writer(void) {
  CONSUME(path[0] + word[0] + name[0]);
  check(execv(path, words), ENOENT);
}
NOINLINE static void reader(void) {
  char *texts[] = {word, NULL};
  char *names[] = {name, NULL};
  check(execv(path, texts), ENOENT);
  check(execve(path, texts, names), ENOENT);
  check(execvp(path, texts), ENOENT);
  check(execvpe(path, texts, names), ENOENT);
  check(fexecve(-1, texts, names), EINVAL);
  check(execl(path, word, NULL), ENOENT);
  check(execlp(path, word, NULL), ENOENT);
  check(execle(path, word, NULL, names), ENOENT);
}

// All arguments arrive, and those behind the null.
NOINLINE static void run(int which) {
  pid_t child = fork();
  if (child == 0) {
    if (which == 0) execl("/bin/sh", "sh", "-c", "exit $6", "0", "1", "2", "3", "4", "5", "6", NULL);
    if (which == 1) execlp("sh", "sh", "-c", "exit $1", "0", "6", NULL);
    char *names[] = {(char *)"CODE=6", NULL};
    execle("/bin/sh", "sh", "-c", "exit $CODE", NULL, names);
    _exit(1);
  }
  int fate;
  if (waitpid(child, &fate, 0) != child || WEXITSTATUS(fate) != 6) abort();
}

int main(void) {
  for (int i = 0; i < 3; i++) run(i);
  run_accesses(run_two, writer, reader);
}
