// expect: none
// with: bringing.c
// tsan: false alarm, the malloc of this program is not instrumented
#include "scenario.h"

// The program brings a malloc, which gives one thread what another gave back.
int *first_block;
char *first_text;

NOINLINE static void use_first(void) {
  first_block = malloc(100 * sizeof *first_block);
  for (int i = 0; i < 100; ++i) first_block[i] = i;
  CONSUME(first_block);
  free(first_block);
  first_text = strdup("a text whose block libc asks for");
  first_text[0] = 'A';
  CONSUME(first_text);
  free(first_text);
}
NOINLINE static void use_second(void) {
  int *block = malloc(100 * sizeof *block);
  for (int i = 0; i < 100; ++i) block[i] = -i;
  CONSUME(block);
  block = realloc(block, 3000 * sizeof *block);
  block[5] = 3;
  CONSUME(block);
  char *text = strdup("another text, which lies there now");
  text[0] = 'B';
  CONSUME(text);
  free(text);
  free(block);
}

int main(void) { run_two(use_first, use_second); }
