// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

GMutex mutex;
GCond condition;
int ready, data, count, initialised, done, items[10];
gsize once;

static void initialise(void) {
  if (g_once_init_enter(&once)) {
    initialised = 9;
    g_once_init_leave(&once, 1);
  }
  if (initialised != 9) abort();
}

static gpointer worker(gpointer argument) {
  initialise();
  for (int i = 0; i < 100; i++) {
    g_mutex_lock(&mutex);
    count++;
    g_mutex_unlock(&mutex);
  }
  g_mutex_lock(&mutex);
  data = 42;
  ready++;
  g_cond_signal(&condition);
  g_mutex_unlock(&mutex);
  return argument;
}

static void work(gpointer item, gpointer unused) {
  (void)unused;
  ++*(int *)item;
  g_mutex_lock(&mutex);
  done++;
  g_mutex_unlock(&mutex);
}

int main(void) {
  GThread *one = g_thread_new("one", worker, NULL), *two = g_thread_new("two", worker, NULL);
  initialise();
  g_mutex_lock(&mutex);
  while (ready < 2) g_cond_wait(&condition, &mutex);
  CONSUME(data);
  g_mutex_unlock(&mutex);
  g_thread_join(one);
  g_thread_join(two);
  GThreadPool *pool = g_thread_pool_new(work, NULL, 2, FALSE, NULL);
  for (int i = 0; i < 10; i++) {
    items[i] = i;
    g_thread_pool_push(pool, &items[i], NULL);
  }
  g_thread_pool_free(pool, FALSE, TRUE);
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += items[i];
  if (sum != 55 || done != 10 || count != 200) abort();
}
