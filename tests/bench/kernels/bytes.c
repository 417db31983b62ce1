/* String-like work a byte at a time: change the case of a text in place, split
 * it into words, hash the words and count them in a small table. */
#include "../bench.h"

enum { TEXT = 1 << 16, COUNTERS = 1 << 10 };

static BENCH_NOINLINE void swap_case(char *text, size_t length) {
  int upper = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == ' ') {
      upper = !upper;
    } else if (upper) {
      text[i] = (char)(c ^ 0x20);
    }
  }
}

static BENCH_NOINLINE uint64_t count_words(const char *text, size_t length, uint8_t *counters) {
  uint64_t words = 0;
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) {
    if (text[i] != ' ') {
      hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    } else {
      counters[hash % COUNTERS]++;
      words++;
      hash = 2166136261u;
    }
  }
  return words;
}

static BENCH_NOINLINE size_t compare(const char *left, const char *right, size_t length) {
  size_t same = 0;
  while (same < length && left[same] == right[same]) same++;
  return same;
}

static void work(unsigned worker, uint64_t passes) {
  char *text = (char *)bench_alloc(TEXT);
  char *original = (char *)bench_alloc(TEXT);
  uint8_t *counters = (uint8_t *)calloc(COUNTERS, 1);
  if (counters == NULL) exit(2);
  uint64_t state = bench_seed(worker);
  for (size_t i = 0; i < TEXT; i++) {
    uint64_t number = bench_random(&state) >> 32;
    text[i] = number % 6 == 0 ? ' ' : (char)('a' + number % 26);
    original[i] = text[i];
  }
  for (uint64_t pass = 0; pass < passes; pass++) {
    swap_case(text, TEXT);
    uint64_t words = count_words(text, TEXT, counters);
    bench_publish(words + compare(text, original, TEXT));
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < COUNTERS; i++) sum = sum * 31 + counters[i];
  bench_publish(sum);
  free(counters);
  free(original);
  free(text);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 500));
  return bench_finish();
}
