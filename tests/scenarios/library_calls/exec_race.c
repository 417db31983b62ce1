// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 execv (, #0 execve (, #0 execvp (, #0 execvpe (, #0 fexecve (, #0 execl (, #0 execlp (, #0 execle (
// reports: any
// tsan: skip, it does not know all of the functions
#include <unistd.h>

#include "scenario.h"

// What another program would be run with, if there were one.
#define NO_PROGRAM "/nonexistent/program"

static char *words[] = {(char *)"program", NULL};
char a0[32] = NO_PROGRAM;
char a1[8] = "word";
char *a2[2];
char a3[8] = "word";
char a4[8] = "A=1";
char *a5[2];
char a6[8] = "word";
char a7[32] = NO_PROGRAM;
char a8[8] = "A=1";

NOINLINE static void writer(void) {
  a0[5] = 'X'; // here
  a1[0] = 'W'; // here
  a2[0] = NULL; // here
  a3[0] = 'W'; // here
  a4[0] = 'B'; // here
  a5[0] = NULL; // here
  a6[0] = 'W'; // here
  a7[5] = 'X'; // here
  a8[0] = 'B'; // here
}
NOINLINE static void reader(void) {
  execv(a0, words); // here
  execv(NO_PROGRAM, (char *[]){a1, NULL}); // here
  execve(NO_PROGRAM, words, a2); // here
  execvp(NO_PROGRAM, (char *[]){a3, NULL}); // here
  execvpe(NO_PROGRAM, words, (char *[]){a4, NULL}); // here
  fexecve(-1, a5, words); // here
  execl(NO_PROGRAM, "1", "2", "3", "4", "5", "6", a6, NULL); // here
  execlp(a7, "1", NULL); // here
  execle(NO_PROGRAM, "1", NULL, (char *[]){a8, NULL}); // here
}

int main(void) { run_accesses(run_two, writer, reader); }
