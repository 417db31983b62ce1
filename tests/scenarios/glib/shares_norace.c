// expect: none
// flags: {pkg:gobject-2.0}
// needs: glib.h
// tsan: false alarm, GLib is not instrumented
#include <glib-object.h>

#include "scenario.h"

// Several threads read things that they have shares of; whoever gives back the
// last one ends them, by functions of the program's own.
enum { THREADS = 3, ROUNDS = 50 };

typedef struct {
  GObject parent;
  int value;
} Thing;
typedef struct {
  GObjectClass parent;
} ThingClass;
G_DEFINE_TYPE(Thing, thing, G_TYPE_OBJECT)

static void finalize(GObject *object) {
  ((Thing *)object)->value = 0;
  G_OBJECT_CLASS(thing_parent_class)->finalize(object);
}
static void thing_class_init(ThingClass *class) { G_OBJECT_CLASS(class)->finalize = finalize; }
static void thing_init(Thing *thing) { thing->value = 1; }

static void end(gpointer value) {
  *(int *)value = 0;
  g_free(value);
}
static void clear(gpointer box) { *(int *)box = 0; }

static gpointer one(void) {
  int *value = g_new(int, 1);
  *value = 1;
  return value;
}

typedef struct {
  gatomicrefcount count;
  int value;
} Counted;

static struct {
  Thing *object;
  int *box;
  GBytes *bytes;
  int *in_bytes;
  GPtrArray *array;
  GHashTable *table;
  Counted *counted;
} all;

static gpointer user(gpointer unused) {
  (void)unused;
  CONSUME(all.object->value);
  g_object_unref(all.object);
  CONSUME(*all.box);
  g_atomic_rc_box_release_full(all.box, clear);
  CONSUME(*all.in_bytes);
  g_bytes_unref(all.bytes);
  CONSUME(*(int *)g_ptr_array_index(all.array, 0));
  g_ptr_array_unref(all.array);
  CONSUME(*(int *)g_hash_table_lookup(all.table, "key"));
  g_hash_table_unref(all.table);
  CONSUME(all.counted->value);
  if (g_atomic_ref_count_dec(&all.counted->count)) {
    all.counted->value = 0;
    g_free(all.counted);
  }
  return NULL;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    all.object = (Thing *)g_object_new(thing_get_type(), NULL);
    all.box = g_atomic_rc_box_new0(int);
    all.in_bytes = (int *)one();
    all.bytes = g_bytes_new_with_free_func(all.in_bytes, sizeof(int), end, all.in_bytes);
    all.array = g_ptr_array_new_with_free_func(end);
    g_ptr_array_add(all.array, one());
    all.table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, end);
    g_hash_table_insert(all.table, (gpointer) "key", one());
    all.counted = g_new0(Counted, 1);
    g_atomic_ref_count_init(&all.counted->count);
    for (int i = 1; i < THREADS; i++) {
      g_object_ref(all.object);
      g_atomic_rc_box_acquire(all.box);
      g_bytes_ref(all.bytes);
      g_ptr_array_ref(all.array);
      g_hash_table_ref(all.table);
      g_atomic_ref_count_inc(&all.counted->count);
    }
    GThread *threads[THREADS];
    for (int i = 0; i < THREADS; i++) threads[i] = g_thread_new("user", user, NULL);
    for (int i = 0; i < THREADS; i++) g_thread_join(threads[i]);
  }
}
