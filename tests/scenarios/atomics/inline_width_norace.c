// expect: none
// also: c++
// tsan: false alarm: it does not see inline assembly
#include "scenario.h"

// The operand is a char, the instruction says that it is a pointer.
long *shared;
long payload;

static void set(void *at, const void *value) {
  __asm__ volatile("movq %1, %0" : "=m"(*(char *)at) : "r"(value) : "memory");
}
static void *get(const void *at) {
  void *value;
  __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(*(const char *)at) : "memory");
  return value;
}
static void *swap(void *at, void *value) {
  __asm__ volatile("xchgq %0, %1" : "+m"(*(char *)at), "+q"(value) : : "memory");
  return value;
}

NOINLINE static void publish(void) {
  payload = 42;
  set(&shared, &payload);
}
NOINLINE static void use(void) {
  if (get(&shared) != &payload) abort();
  if (payload != 42) abort();
  if (swap(&shared, 0) != &payload) abort();
}

int main(void) { run_two(publish, use); }
