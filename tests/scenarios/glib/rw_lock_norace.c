// expect: none
// flags: {pkg:glib-2.0}
// needs: glib.h
// orders: first-second second-first
// tsan: false alarm, GLib is not instrumented
#include <glib.h>

#include "scenario.h"

// One that needs no initialisation, and recursive mutexes.
GRWLock lock;
GRecMutex again;
int count, tried, deep;

NOINLINE static void first(void) {
  g_rw_lock_writer_lock(&lock);
  count++;
  g_rw_lock_writer_unlock(&lock);
  if (!g_rw_lock_writer_trylock(&lock)) abort();
  tried++;
  g_rw_lock_writer_unlock(&lock);
  g_rec_mutex_lock(&again);
  g_rec_mutex_lock(&again);
  deep++;
  g_rec_mutex_unlock(&again);
  deep++;
  g_rec_mutex_unlock(&again);
}
NOINLINE static void second(void) {
  g_rw_lock_reader_lock(&lock);
  CONSUME(count);
  g_rw_lock_reader_unlock(&lock);
  if (!g_rw_lock_reader_trylock(&lock)) abort();
  CONSUME(tried);
  g_rw_lock_reader_unlock(&lock);
  if (!g_rec_mutex_trylock(&again)) abort();
  deep++;
  g_rec_mutex_unlock(&again);
}

int main(void) { run_ordered(first, second); }
