// Fills, indexes, changes and reads a table in memory.
#include "two_threads.h"
#include <sqlite3.h>

static void run(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail(message);
}

static void *work(void *unused) {
    sqlite3 *db;
    char sql[512];
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        fail("no database");
    run(db, "create table t(a integer primary key, b text, c real); create index i on t(b)");
    snprintf(sql, sizeof sql,
             "with recursive n(x) as (select 1 union all select x + 1 from n where x < %d)"
             " insert into t select x, 'name' || (x * 7919 %% 1000), x / 3.0 from n",
             amount * 1000);
    run(db, sql);
    run(db, "select count(*), sum(a), round(avg(c), 3), min(b), max(b) from t");
    run(db, "select b, count(*) n from t where b like 'name9%' group by b order by n desc limit 5");
    run(db, "update t set c = c * 2 where a % 3 = 0; delete from t where a % 5 = 0");
    run(db, "select x.a, y.a from t x join t y on x.b = y.b and x.a < y.a order by 1, 2 limit 5");
    sqlite3_close(db);
    return unused;
}

int main(int argc, char **argv) { return two_threads(argc, argv, work); }
