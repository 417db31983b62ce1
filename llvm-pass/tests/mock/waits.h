// What the stand-in for the runtime keeps of loops that wait for another
// thread, and waits whose outcome the test decides.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UNORDERED = 1, WOKEN = 2, NOTED = 4, VOLATILE = 8, RELAXED = 16 };

// One call of a hook at an exit; the addresses that count.
struct left {
  int spin;
  void *condvar, *mutex;
  uint32_t flags;
  int count;
  void *address[32];
};

struct waits {
  struct left left[64];
  int exits, not_in_loop, depth, noted;
  void *note[64];
};

extern struct waits waits;
// Called by every wait; returns what the wait returns.
extern int (*on_wait)(void *condvar, void *mutex);
void waits_note(void *address);

#ifdef __cplusplus
}
#endif
