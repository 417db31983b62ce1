// expect: none
// orders: signal-first wait-first
// modes: hybrid msm-short msm-long
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

GMutex mutex;
GCond condition;
int ready, payload;

NOINLINE static void publish(void) {
  payload = 42;
  g_mutex_lock(&mutex);
  ready = 1;
  g_cond_signal(&condition);
  g_mutex_unlock(&mutex);
}
static gpointer wait_and_use(gpointer unused) {
  if (ordered("signal-first")) wait_for_step(1);
  g_mutex_lock(&mutex);
  if (!ordered("signal-first")) take_step();
  while (!ready) g_cond_wait(&condition, &mutex);
  g_mutex_unlock(&mutex);
  CONSUME(payload);
  return unused;
}

int main(void) {
  GThread *thread = g_thread_new("waiter", wait_and_use, NULL);
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  g_thread_join(thread);
}
