// expect: none
// orders: first-second second-first
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// tsan: skip, it changes errno where a stream has no descriptor
#include <errno.h>

#include "scenario.h"

// Streams lock themselves: threads may write to one and flush it. To have no
// descriptor is no error.
char *text;
size_t len;
FILE *stream;

NOINLINE static void both(void) {
  char word[8], *line = NULL;
  size_t room = 0;
  FILE *own = fmemopen((void *)"word\n", 5, "r");
  errno = 0;
  fputs("text", stream);
  fprintf(stream, "%d", 1);
  fflush(stream);
  if (getline(&line, &room, own) != 5 || getline(&line, &room, own) >= 0) abort();
  if (fgets(word, sizeof word, own)) abort();
  fclose(own);
  if (errno) abort();
  free(line);
}

int main(void) {
  stream = open_memstream(&text, &len);
  run_ordered(both, both);
  fclose(stream);
  if (len != 10 || strcmp(text, "text1text1")) abort();
  free(text);
}
