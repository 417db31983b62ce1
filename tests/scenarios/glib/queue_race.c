// expect: data race
// flags: {pkg:glib-2.0}
// needs: glib.h
// names: payload
#include <glib.h>

#include "scenario.h"

// Written after the queue has passed the message on.
int payload;
GAsyncQueue *queue;

NOINLINE static void sender(void) {
  g_async_queue_push(queue, &payload);
  payload = 1; // here
}
NOINLINE static void receiver(void) {
  g_async_queue_pop(queue);
  CONSUME(payload); // here
}

int main(void) {
  queue = g_async_queue_new();
  run_two(sender, receiver);
}
