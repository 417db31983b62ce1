// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <wordexp.h>

#include "scenario.h"

// Patterns: regular expressions, names of files, words.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&mutex);
  a0[1] = '+';
  CONSUME(a1.re_nsub);
  a2[1] = 'A';
  CONSUME(a3[1].rm_so);
  CONSUME(a4[0]);
  a5[0] = '?';
  a6[0] = 'y';
  a7[1] = 'D';
  CONSUME(a8.gl_pathc);
  CONSUME(a9.gl_pathc);
  a10[0] = 'A';
  CONSUME(a11.we_wordc);
  CONSUME(a12.re_nsub + (size_t)*(void **)&a12);
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  regcomp(&(regex_t){0}, a0, 0);
  regcomp(&a1, "a*b", 0);
  regexec(&compiled, a2, 0, NULL, 0);
  regexec(&compiled, "aab", 2, a3, 0);
  regerror(REG_BADPAT, NULL, a4, 64);
  CONSUME(fnmatch(a5, "x.c", 0));
  CONSUME(fnmatch("*.c", a6, 0));
  glob(a7, 0, NULL, &(glob_t){0});
  glob("/*", 0, NULL, &a8);
  globfree(&a9);
  wordexp(a10, &(wordexp_t){0}, 0);
  wordexp("a b", &a11, 0);
  regfree(&a12);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  regcomp(&compiled, "a*b", 0);
  regcomp(&a12, "a*b", 0);
  run_accesses(run_two, writer, reader);
}
