/* Makes inputs for the real programs, the same every time:
 *
 *   corpus text BYTES          words, some lines repeated, some noise
 *   corpus video WIDTH HEIGHT FRAMES   4:2:0 frames with moving shapes */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 11;
}

static int text(unsigned long bytes) {
  enum { WORDS = 4096, LONGEST = 12, LINES = 256, LINE = 512 };
  static char words[WORDS][LONGEST + 1];
  static char lines[LINES][LINE];
  for (int i = 0; i < WORDS; i++) {
    unsigned length = 2 + (unsigned)(next() % (LONGEST - 1));
    for (unsigned c = 0; c < length; c++) words[i][c] = (char)('a' + next() % 26);
  }
  unsigned long written = 0;
  for (unsigned long number = 0; written < bytes; number++) {
    char *line = lines[number % LINES];
    if (number >= LINES && next() % 5 == 0) {
      line = lines[next() % LINES];
    } else {
      size_t at = 0;
      unsigned count = 5 + (unsigned)(next() % 10);
      for (unsigned i = 0; i < count; i++) {
        uint64_t pick = next() % WORDS;
        at += (size_t)snprintf(line + at, LINE - at, "%s ", words[pick * pick / WORDS]);
      }
      snprintf(line + at, LINE - at, "%llu\n", (unsigned long long)(next() % 100000));
    }
    written += strlen(line);
    fputs(line, stdout);
  }
  return fflush(stdout) == 0 ? 0 : 1;
}

static int video(unsigned long width, unsigned long height, unsigned long frames) {
  unsigned char *plane = malloc(width * height);
  if (plane == NULL) return 2;
  for (unsigned long frame = 0; frame < frames; frame++) {
    for (unsigned long y = 0; y < height; y++) {
      for (unsigned long x = 0; x < width; x++) {
        unsigned long disc = (x - frame * 3) * (x - frame * 3) + (y - 60) * (y - 60);
        unsigned long shade = disc < 1600 ? 200 : ((x + frame) / 16 + (y + frame / 2) / 16) % 2 * 60 + 60;
        plane[y * width + x] = (unsigned char)(shade + next() % 8);
      }
    }
    fwrite(plane, 1, width * height, stdout);
    for (unsigned long i = 0; i < width * height / 2; i++) {
      plane[i] = (unsigned char)(128 + (i / 64 + frame) % 16);
    }
    fwrite(plane, 1, width * height / 2, stdout);
  }
  free(plane);
  return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "text") == 0) return text(strtoul(argv[2], NULL, 10));
  if (argc == 5 && strcmp(argv[1], "video") == 0) {
    return video(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                 strtoul(argv[4], NULL, 10));
  }
  fprintf(stderr, "usage: corpus text BYTES | corpus video WIDTH HEIGHT FRAMES\n");
  return 2;
}
