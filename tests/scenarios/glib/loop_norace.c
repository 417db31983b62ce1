// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
// What one thread gives the main loop of another to do.
#include <glib.h>

#include "scenario.h"

static GMainLoop *loop;
int payload;

NOINLINE static gboolean receive(gpointer data) {
  (void)data;
  CONSUME(payload);
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

NOINLINE static gpointer send(gpointer data) {
  payload = 1;
  g_idle_add(receive, NULL);
  return data;
}

int main(void) {
  loop = g_main_loop_new(NULL, FALSE);
  GThread *thread = g_thread_new("sender", send, NULL);
  g_main_loop_run(loop);
  g_thread_join(thread);
  g_main_loop_unref(loop);
}
