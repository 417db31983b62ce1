// expect: none
// also: c++
// tsan: false alarm: it does not see inline assembly
#include "scenario.h"

// Atomic operations in assembly whose constraints say little: what is stored is
// a number, memory that changes is an input, or just its address is.
int flag, count, lock = 1, through;
long payload[4];

static int exchange(int *at, int value) {
  __asm__ volatile("xchgl %0, %1" : "=r"(value) : "m"(*at), "0"(value) : "memory");
  return value;
}
static int compare_exchange(int *at, int old, int value) {
  int seen;
  __asm__ volatile("lock; cmpxchgl %1, %2"
                   : "=a"(seen)
                   : "r"(value), "m"(*at), "0"(old)
                   : "memory", "cc");
  return seen;
}
static int add_through(int *at, int value) {
  __asm__ volatile("lock; xaddl %0, (%1)" : "+r"(value) : "r"(at) : "memory", "cc");
  return value;
}
static int load_through(const int *at) {
  int value;
  __asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(at) : "memory");
  return value;
}
static void spin_lock(int *at) {
  __asm__ volatile("1: lock; decl %0; jns 3f; 2: pause; cmpl $0, %0; jle 2b; jmp 1b; 3:"
                   : "+m"(*at)
                   :
                   : "memory", "cc");
}
static void spin_unlock(int *at) {
  __asm__ volatile("movl $1, %0" : "=m"(*at) : : "memory");
}

NOINLINE static void publish(void) {
  payload[0] = 1;
  exchange(&flag, 1);
  payload[1] = 2;
  if (compare_exchange(&count, 0, 1) != 0) abort();
  payload[2] = 3;
  if (add_through(&through, 1) != 0) abort();
  spin_lock(&lock);
  payload[3] = 4;
  spin_unlock(&lock);
}
NOINLINE static void use(void) {
  if (exchange(&flag, 2) != 1) abort();
  CONSUME(payload[0]);
  if (compare_exchange(&count, 1, 2) != 1) abort();
  CONSUME(payload[1]);
  if (load_through(&through) != 1) abort();
  CONSUME(payload[2]);
  spin_lock(&lock);
  CONSUME(payload[3]);
  spin_unlock(&lock);
}

int main(void) { run_two(publish, use); }
