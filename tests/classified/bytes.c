#include <stdint.h>

#include "classified.h"

// case adjacent_bytes: no race
char adjacent[2];
PAIR(adjacent_bytes)
static void adjacent_bytes_1(void) { adjacent[0] = 1; }
static void adjacent_bytes_2(void) { adjacent[1] = 1; }

// case same_byte: race [fast msm-long]
char same[2];
PAIR(same_byte)
static void same_byte_1(void) { same[1] = 1; }
static void same_byte_2(void) { same[1] = 2; }

// case adjacent_bit_fields: race [fast msm-long]
struct {
  unsigned a : 4, b : 4;
} fields;
PAIR(adjacent_bit_fields)
static void adjacent_bit_fields_1(void) { fields.a += 1; }
static void adjacent_bit_fields_2(void) { fields.b += 1; }

// case separated_bit_fields: no race
struct {
  unsigned a : 4, : 0, b : 4;
} apart;
PAIR(separated_bit_fields)
static void separated_bit_fields_1(void) { apart.a += 1; }
static void separated_bit_fields_2(void) { apart.b += 1; }

// case part_of_a_word: race [fast msm-long]
union {
  int whole;
  char parts[4];
} part;
PAIR(part_of_a_word)
static void part_of_a_word_1(void) { part.parts[2] = 1; }
static void part_of_a_word_2(void) { part.whole = 2; }

// case overlapping_words: race [fast msm-long]
char words[16] __attribute__((aligned(8)));
PAIR(overlapping_words)
static void overlapping_words_1(void) {
  int32_t value = 1;
  memcpy(words + 2, &value, sizeof value);
}
static void overlapping_words_2(void) {
  int32_t value = 2;
  memcpy(words + 5, &value, sizeof value);
}

// case neighbouring_words: no race
char neighbours[16] __attribute__((aligned(8)));
PAIR(neighbouring_words)
static void neighbouring_words_1(void) {
  int32_t value = 1;
  memcpy(neighbours + 2, &value, sizeof value);
}
static void neighbouring_words_2(void) {
  int32_t value = 2;
  memcpy(neighbours + 6, &value, sizeof value);
}

// case across_granules: race [fast msm-long]
char across[16] __attribute__((aligned(8)));
PAIR(across_granules)
static void across_granules_1(void) {
  int64_t value = 1;
  memcpy(across + 5, &value, sizeof value);
}
static void across_granules_2(void) { across[9] = 2; }

// case copied_ranges: race [fast msm-long]
char copied[256];
PAIR(copied_ranges)
static void copied_ranges_1(void) {
  static char from[128];
  memcpy(copied, from, sizeof from);
}
static void copied_ranges_2(void) { memset(copied + 127, 1, 64); }

// case copied_apart: no race
char copied_apart_to[256];
PAIR(copied_apart)
static void copied_apart_1(void) {
  static char from[128];
  memcpy(copied_apart_to, from, sizeof from);
}
static void copied_apart_2(void) { memset(copied_apart_to + 128, 1, 64); }

// case byte_among_locked: race [fast msm-long]
// The neighbours are guarded, this byte is not.
MUTEX(among_m);
char among[8] __attribute__((aligned(8)));
PAIR(byte_among_locked)
static void byte_among_locked_1(void) {
  LOCK(among_m);
  for (int i = 0; i < 4; ++i) among[i] = 1;
  UNLOCK(among_m);
  among[5] = 1;
}
static void byte_among_locked_2(void) {
  among[5] = 2;
  LOCK(among_m);
  for (int i = 0; i < 4; ++i) among[i] = 2;
  UNLOCK(among_m);
}
