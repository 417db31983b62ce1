// Two threads put into one hash table. With "apart" each has its own.
#include "turns.h"
#include <glib.h>

static GHashTable *tables[2];
static int apart;

static void work(int thread, int round) {
    GHashTable *table = tables[apart ? thread : 0];
    g_hash_table_insert(table, GINT_TO_POINTER(thread * ROUNDS + round + 1), GINT_TO_POINTER(1));
}

int main(int argc, char **argv) {
    apart = argc > 1 && strcmp(argv[1], "apart") == 0;
    for (int i = 0; i < 2; i++)
        tables[i] = g_hash_table_new(NULL, NULL);
    take_turns(argc, argv, work);
    unsigned wanted = apart ? ROUNDS : 2 * ROUNDS;
    if (g_hash_table_size(tables[0]) != wanted)
        puts("lost");
    for (int i = 0; i < 2; i++)
        g_hash_table_destroy(tables[i]);
    return 0;
}
