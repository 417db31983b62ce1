// expect: none
// also: c++
// tsan: false alarm: it does not see inline assembly
#include "scenario.h"

// Loads and stores in assembly, as libraries write them that are older than C11.
int flag;
char *shared;
long payload;

static void set(int *at, int value) {
  __asm__ volatile("movl %1, %0" : "=m"(*at) : "ri"(value) : "memory");
}
static int get(const int *at) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
  return value;
}
static void set_pointer(char **at, char *value) {
  __asm__ volatile("movq %1, %0" : "=m"(*at) : "r"(value) : "memory");
}
static char *get_pointer(char *const *at) {
  char *value;
  __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(*at) : "memory");
  return value;
}

NOINLINE static void publish(void) {
  payload = 42;
  set_pointer(&shared, (char *)&payload);
  set(&flag, 1);
}
NOINLINE static void use(void) {
  if (get(&flag) != 1) abort();
  if (get_pointer(&shared) != (char *)&payload) abort();
  if (payload != 42) abort();
}

int main(void) { run_two(publish, use); }
