// Two threads use one connection of a sqlite that leaves locking to its
// caller. With "apart" each has its own, which sqlite allows.
#include "turns.h"
#include <sqlite3.h>

static sqlite3 *connections[2];
static int apart;

static void work(int thread, int round) {
    sqlite3 *db = connections[apart ? thread : 0];
    char sql[128];
    snprintf(sql, sizeof sql, "insert into t values(%d, 'thread %d'); select count(*) from t",
             thread * ROUNDS + round, thread);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        puts(sqlite3_errmsg(db));
}

int main(int argc, char **argv) {
    apart = argc > 1 && strcmp(argv[1], "apart") == 0;
    if (sqlite3_config(SQLITE_CONFIG_MULTITHREAD) != SQLITE_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        if (sqlite3_open(":memory:", &connections[i]) != SQLITE_OK)
            return 1;
        sqlite3_exec(connections[i], "create table t(a integer primary key, b text)", NULL, NULL,
                     NULL);
    }
    take_turns(argc, argv, work);
    for (int i = 0; i < 2; i++)
        sqlite3_close(connections[i]);
    return 0;
}
