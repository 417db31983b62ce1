// Orders threads without any synchronisation a race detector can see.
//
// The functions below are not instrumented (the attribute is honoured by every
// LLVM sanitizer), are never inlined into instrumented code, touch their counter
// only from inline assembly and enter the kernel directly, so no interceptor is
// passed on the way. What they order happens in that order in real time, and is
// unordered as far as happens-before is concerned.
#ifndef INVISIBLE_H
#define INVISIBLE_H

#include <linux/futex.h>
#include <sys/syscall.h>

#define INVISIBLE __attribute__((disable_sanitizer_instrumentation, noinline, unused))

// The counter that all steps of a program share.
static int invisible_step;

INVISIBLE static long invisible_futex(int *word, long operation, long value) {
  long result;
  register long timeout __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((long)SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(timeout)
                   : "rcx", "r11", "memory");
  return result;
}

INVISIBLE static int invisible_load(int *word) {
  int value;
  __asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(word) : "memory");
  return value;
}

// Waits until `target` steps have been taken.
INVISIBLE static void wait_for_step(int target) {
  for (;;) {
    int now = invisible_load(&invisible_step);
    if (now >= target) return;
    invisible_futex(&invisible_step, FUTEX_WAIT, now);
  }
}

// Takes one step and wakes everyone who waits for it.
INVISIBLE static void take_step(void) {
  __asm__ volatile("lock; incl (%0)" : : "r"(&invisible_step) : "memory");
  invisible_futex(&invisible_step, FUTEX_WAKE, 0x7fffffff);
}

// Waits until a thread sleeps for the pthread mutex whose first word this is.
INVISIBLE static void wait_for_sleeper(void *mutex) {
  long result;
  while (invisible_load((int *)mutex) != 2)
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_sched_yield)
                     : "rcx", "r11", "memory");
}

#endif
