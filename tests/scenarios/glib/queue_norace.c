// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

int payload;
GAsyncQueue *queue;

NOINLINE static void sender(void) {
  payload = 1;
  g_async_queue_push(queue, &payload);
}
NOINLINE static void receiver(void) {
  g_async_queue_pop(queue);
  CONSUME(payload);
}

int main(void) {
  queue = g_async_queue_new();
  run_two(sender, receiver);
}
