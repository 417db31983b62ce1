// GLib's own ways to share: locks, queues, initialisation, quarks, pools,
// reference counts, atomics. Not g_once: nothing but plain instructions touch
// its variable, which machine code does not tell from any other.
#include "many.h"
#include <glib.h>

static GMutex mutex;
static GRWLock guard;
static GHashTable *table;
static GAsyncQueue *queue;
static GPrivate private = G_PRIVATE_INIT(g_free);
static gint counter;

static void pooled(gpointer data, gpointer unused) {
    (void)unused;
    g_atomic_int_add(&counter, GPOINTER_TO_INT(data));
}

static void *work(void *argument) {
    static gsize initialised;
    char name[32];
    for (int i = 0; i < 50; i++) {
        if (g_once_init_enter(&initialised))
            g_once_init_leave(&initialised, 1);
        g_snprintf(name, sizeof name, "name-%d", i);
        if (g_quark_try_string(name) == 0)
            g_quark_from_string(name);
        g_private_replace(&private, g_strdup(name));
        g_mutex_lock(&mutex);
        g_hash_table_replace(table, g_strdup(name), g_strdup("value"));
        g_mutex_unlock(&mutex);
        g_rw_lock_reader_lock(&guard);
        g_rw_lock_reader_unlock(&guard);
        g_async_queue_push(queue, g_strdup_printf("%ld of thread %p", (long)i, argument));
        g_free(g_async_queue_pop(queue));
        GBytes *bytes = g_bytes_new(name, sizeof name);
        g_bytes_unref(g_bytes_ref(bytes));
        g_bytes_unref(bytes);
        g_free(g_date_time_format(g_date_time_new_from_unix_utc(i), "%F"));
        GRegex *regex = g_regex_new("n(a)me-[0-9]+", 0, 0, NULL);
        if (!g_regex_match(regex, name, 0, NULL))
            abort();
        g_regex_unref(regex);
    }
    return NULL;
}

int main(void) {
    table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    queue = g_async_queue_new();
    GThreadPool *pool = g_thread_pool_new(pooled, NULL, 2, FALSE, NULL);
    for (int i = 1; i <= 50; i++)
        g_thread_pool_push(pool, GINT_TO_POINTER(i), NULL);
    many(work);
    g_thread_pool_free(pool, FALSE, TRUE);
    if (counter != 50 * 51 / 2 || g_hash_table_size(table) != 50)
        abort();
    g_hash_table_destroy(table);
    g_async_queue_unref(queue);
    return 0;
}
