#include "waits.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct waits waits;
int (*on_wait)(void *, void *);

struct condition {
  void *address;
  uint64_t size;
};

static void keep(struct left *left, void *address) {
  if (!address)
    return;
  for (int i = 0; i < left->count; i++)
    if (left->address[i] == address)
      return;
  left->address[left->count++] = address;
}

static void keep_noted(struct left *left) {
  for (int i = 0; i < waits.noted; i++)
    keep(left, waits.note[i]);
}

void __racert_wait_loop_exit(void *condvar, void *mutex, uint32_t flags, uint32_t count,
                             const struct condition *conditions) {
  struct left *left = &waits.left[waits.exits++ % 64];
  *left = (struct left){.condvar = condvar, .mutex = mutex, .flags = flags & 0xffff};
  for (uint32_t i = 0; i < count; i++) {
    if (conditions[i].size == 0 || conditions[i].size > 8)
      abort();
    if (flags & 1u << (16 + i))
      keep(left, conditions[i].address);
  }
  if (flags & NOTED)
    keep_noted(left);
}

void __racert_spin_loop_exit(void *address, uint64_t size, uint32_t flags) {
  if ((!address && !(flags & NOTED)) || flags & UNORDERED)
    return;
  struct left *left = &waits.left[waits.exits++ % 64];
  *left = (struct left){.spin = 1, .flags = flags};
  if (address && (size == 0 || size > 8))
    abort();
  keep(left, address);
  if (flags & NOTED)
    keep_noted(left);
}

void __racert_flag_write(void *address, uint64_t size) {
  if (!address || size == 0 || size > 8)
    abort();
}

void __racert_flag_written(void) {}

void __racert_condition_begin(uint32_t flags) {
  waits.depth = 1;
  if (flags & 1)
    waits.noted = 0;
}
void __racert_condition_end(void) { waits.depth = 0; }
void __racert_wait_not_in_loop(void *condvar, void *mutex) {
  (void)condvar, (void)mutex, waits.not_in_loop++;
}

uint32_t __racert_waits(const uint64_t *table) { return table && table[0] == 1; }

// The other half of the stand-in calls this for every read that misses.
void waits_note(void *address) {
  if (waits.depth && waits.noted < 64)
    waits.note[waits.noted++] = address;
}

int pthread_cond_wait(void *c, void *m) { return on_wait(c, m); }
int pthread_cond_timedwait(void *c, void *m, const struct timespec *t) {
  return (void)t, on_wait(c, m);
}
int pthread_cond_clockwait(void *c, void *m, int clock, const struct timespec *t) {
  return (void)clock, (void)t, on_wait(c, m);
}
int cnd_wait(void *c, void *m) { return on_wait(c, m); }
int cnd_timedwait(void *c, void *m, const struct timespec *t) { return (void)t, on_wait(c, m); }
void g_cond_wait(void *c, void *m) { on_wait(c, m); }
int g_cond_wait_until(void *c, void *m, int64_t t) { return (void)t, !on_wait(c, m); }
int sched_yield(void) { return on_wait(0, 0), 0; }
