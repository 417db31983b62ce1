// expect: lost wake-up
// names: condition variable 'condition', that signal is lost, waits for the end of
// timeout: 300
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: skip, it hangs
#include <glib.h>

#include "scenario.h"

// The signal comes first, and the waiter does not look whether it has.
GMutex mutex;
GCond condition;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  g_mutex_lock(&mutex);
  g_cond_wait(&condition, &mutex); // here
  g_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  GThread *thread = g_thread_new("waiter", waiter, NULL);
  g_mutex_lock(&mutex);
  ready = 1;
  g_cond_signal(&condition); // here
  g_mutex_unlock(&mutex);
  take_step();
  g_thread_join(thread);
}
