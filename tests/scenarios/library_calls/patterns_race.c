// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 regcomp (, #0 regexec (, #0 regerror (, #0 fnmatch (, #0 glob (, #0 globfree (, #0 wordexp (, #0 regfree (
// reports: any
// tsan: skip, it does not know all of the functions
#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <wordexp.h>

#include "scenario.h"

// Patterns: regular expressions, names of files, words.
regex_t compiled;
char a0[8] = "a*b";
regex_t a1;
char a2[8] = "aab";
regmatch_t a3[2];
char a4[64];
char a5[8] = "*.c";
char a6[8] = "x.c";
char a7[8] = "/de*";
glob_t a8;
glob_t a9;
char a10[8] = "a b";
wordexp_t a11;
regex_t a12;

NOINLINE static void writer(void) {
  a0[1] = '+'; // here
  CONSUME(a1.re_nsub); // here
  a2[1] = 'A'; // here
  CONSUME(a3[1].rm_so); // here
  CONSUME(a4[0]); // here
  a5[0] = '?'; // here
  a6[0] = 'y'; // here
  a7[1] = 'D'; // here
  CONSUME(a8.gl_pathc); // here
  CONSUME(a9.gl_pathc); // here
  a10[0] = 'A'; // here
  CONSUME(a11.we_wordc); // here
  CONSUME(a12.re_nsub + (size_t)*(void **)&a12); // here
}
NOINLINE static void reader(void) {
  regcomp(&(regex_t){0}, a0, 0); // here
  regcomp(&a1, "a*b", 0); // here
  regexec(&compiled, a2, 0, NULL, 0); // here
  regexec(&compiled, "aab", 2, a3, 0); // here
  regerror(REG_BADPAT, NULL, a4, 64); // here
  CONSUME(fnmatch(a5, "x.c", 0)); // here
  CONSUME(fnmatch("*.c", a6, 0)); // here
  glob(a7, 0, NULL, &(glob_t){0}); // here
  glob("/*", 0, NULL, &a8); // here
  globfree(&a9); // here
  wordexp(a10, &(wordexp_t){0}, 0); // here
  wordexp("a b", &a11, 0); // here
  regfree(&a12); // here
}

int main(void) {
  regcomp(&compiled, "a*b", 0);
  regcomp(&a12, "a*b", 0);
  run_accesses(run_two, writer, reader);
}
