// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

// Slices and nodes of lists that one thread gets and another gives back, for
// whoever wants some next.
enum { COUNT = 4000 };

typedef struct {
  int values[12];
} Piece;
static GAsyncQueue *queue;

static gpointer maker(gpointer unused) {
  (void)unused;
  for (int i = 0; i < COUNT; i++) {
    Piece *piece = g_slice_new(Piece);
    for (int j = 0; j < 12; j++) piece->values[j] = i;
    g_async_queue_push(queue, g_list_append(g_list_append(NULL, piece), piece));
  }
  return NULL;
}

static gpointer taker(gpointer unused) {
  (void)unused;
  for (int i = 0; i < COUNT; i++) {
    GList *list = (GList *)g_async_queue_pop(queue);
    Piece *piece = (Piece *)list->data;
    if (list->next->data != piece) abort();
    piece->values[0]++;
    g_list_free(list);
    g_slice_free(Piece, piece);
  }
  return NULL;
}

int main(void) {
  queue = g_async_queue_new();
  GThread *threads[4];
  for (int i = 0; i < 4; i++) threads[i] = g_thread_new("one", i % 2 ? taker : maker, NULL);
  for (int i = 0; i < 4; i++) g_thread_join(threads[i]);
}
