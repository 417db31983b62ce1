// Races on memory mapped at the edges of what the widest address space
// randomisation, 32 bits of pages, hands out: once at each place.
#include <sys/mman.h>

#include "scenario.h"

enum { PAGE = 4096, PLACES = 9 };
static const unsigned long TIB = 1ul << 40;

static int *places[PLACES];
static int count;

static void map_at(unsigned long address) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  void *page = mmap((void *)address, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (page != MAP_FAILED) places[count++] = page;
}

// Functions of their own, so that each place is a race of its own.
#define PLACE(n) \
  NOINLINE static void touch_##n(void) { *places[n] += 1; }
PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7) PLACE(8)

static void (*const touch[PLACES])(void) = {touch_0, touch_1, touch_2, touch_3, touch_4,
                                            touch_5, touch_6, touch_7, touch_8};

static void touch_all(void) {
  for (int i = 0; i < count; ++i) touch[i]();
}

int main(void) {
  map_at(1ul << 20);
  map_at(8 * TIB - PAGE);
  map_at(80 * TIB);
  // A position-independent program starts at two thirds of the address space.
  map_at(0x555555554000);
  map_at(0x555555554000 + 16 * TIB - PAGE);
  // Libraries and stacks end at its end.
  map_at(112 * TIB - PAGE);
  map_at(112 * TIB);
  map_at(120 * TIB);
  map_at(128 * TIB - 2 * PAGE);
  run_two(touch_all, touch_all);
  printf("%d places\n", count);
}
