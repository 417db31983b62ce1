// expect: data race
// orders: signal-first wait-first
// modes: hybrid msm-short msm-long
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: skip, GLib is not instrumented
// names: payload
#include <glib.h>

#include "scenario.h"

GMutex mutex;
GCond condition;
int ready, payload;

NOINLINE static void write_late(void) {
  payload = 42; // here
}
NOINLINE static void publish(void) {
  g_mutex_lock(&mutex);
  ready = 1;
  g_cond_signal(&condition);
  g_mutex_unlock(&mutex);
  write_late();
}
static gpointer wait_and_use(gpointer unused) {
  if (ordered("signal-first")) wait_for_step(1);
  g_mutex_lock(&mutex);
  if (!ordered("signal-first")) take_step();
  while (!ready) g_cond_wait(&condition, &mutex);
  g_mutex_unlock(&mutex);
  wait_for_step(ordered("signal-first") ? 1 : 2);
  USE(payload); // here
  take_step();
  return unused;
}

int main(void) {
  GThread *thread = g_thread_new("waiter", wait_and_use, NULL);
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  wait_for_step(ordered("signal-first") ? 2 : 3);
  // Some detectors say nothing the first time.
  write_late();
  g_thread_join(thread);
}
