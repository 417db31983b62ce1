// One connection that sqlite locks by itself, one of each thread's own, and the
// first call of the library by all threads at once.
#include "many.h"
#include <sqlite3.h>

static sqlite3 *shared;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static void run(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        puts(message);
}

static void *work(void *argument) {
    sqlite3 *own;
    char sql[128];
    if (sqlite3_open(":memory:", &own) != SQLITE_OK)
        abort();
    run(own, "create table t(a, b)");
    pthread_mutex_lock(&opening);
    if (!shared) {
        int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
        if (sqlite3_open_v2(":memory:", &shared, flags, NULL) != SQLITE_OK)
            abort();
        run(shared, "create table t(a, b)");
    }
    pthread_mutex_unlock(&opening);
    for (int i = 0; i < 40; i++) {
        snprintf(sql, sizeof sql, "insert into t values(%d, 'of thread %ld')", i, (long)argument);
        run(own, sql);
        run(shared, sql);
        run(shared, "select count(*), max(b) from t where a < 20");
    }
    sqlite3_close(own);
    return NULL;
}

int main(void) {
    many(work);
    sqlite3_close(shared);
    return 0;
}
