// expect: data race
// names: payload
// flags: {pkg:glib-2.0}
// needs: glib.h
// What one thread gives the main loop of another to do.
#include <glib.h>

#include "scenario.h"

static GMainLoop *loop;
int payload;

NOINLINE static gboolean receive(gpointer data) {
  (void)data;
  wait_for_step(1);
  CONSUME(payload); // here
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

NOINLINE static gpointer send(gpointer data) {
  g_idle_add(receive, NULL);
  payload = 1; // here
  take_step();
  return data;
}

int main(void) {
  loop = g_main_loop_new(NULL, FALSE);
  GThread *thread = g_thread_new("sender", send, NULL);
  g_main_loop_run(loop);
  g_thread_join(thread);
  g_main_loop_unref(loop);
}
