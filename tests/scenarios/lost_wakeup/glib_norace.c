// expect: none
// timeout: 300
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

// The waiter looks, and does not wait for a signal that was.
GMutex mutex;
GCond condition;
int ready;

NOINLINE static void *waiter(void *unused) {
  wait_for_step(1);
  g_mutex_lock(&mutex);
  while (!ready) g_cond_wait(&condition, &mutex);
  g_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  GThread *thread = g_thread_new("waiter", waiter, NULL);
  g_mutex_lock(&mutex);
  ready = 1;
  g_cond_signal(&condition);
  g_mutex_unlock(&mutex);
  take_step();
  g_thread_join(thread);
}
