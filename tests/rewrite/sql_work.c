// Runs SQL in memory and prints the results.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int print(void *unused, int count, char **values, char **names) {
    (void)unused;
    for (int i = 0; i < count; i++)
        printf("%s=%s ", names[i], values[i] ? values[i] : "null");
    putchar('\n');
    return 0;
}

static void run(sqlite3 *db, const char *sql) {
    char *message = NULL;
    int code = sqlite3_exec(db, sql, print, NULL, &message);
    if (code != SQLITE_OK)
        printf("%d: %s\n", code, message);
    sqlite3_free(message);
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 20000;
    char sql[512];
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        return 1;
    run(db, "create table t(a integer primary key, b text, c real); create index i on t(b)");
    snprintf(sql, sizeof sql,
             "with recursive n(x) as (select 1 union all select x + 1 from n where x < %d)"
             " insert into t select x, 'name' || (x * 7919 %% 1000), x / 3.0 from n", rows);
    run(db, sql);
    run(db, "select count(*), sum(a), round(avg(c), 3), min(b), max(b) from t");
    run(db, "select b, count(*) n from t where b like 'name9%' group by b order by n desc, b limit 5");
    run(db, "update t set c = c * 2 where a % 3 = 0; delete from t where a % 5 = 0");
    run(db, "select x.a, y.a, x.b from t x join t y on x.b = y.b and x.a < y.a order by 1, 2 limit 5");
    run(db, "select json_extract('{\"a\":[1,2,{\"b\":3}]}', '$.a[2].b'), upper(hex('text')), printf('%08.3f', 3.14159)");
    run(db, "select no such syntax");
    run(db, "pragma integrity_check");
    return sqlite3_close(db) == SQLITE_OK ? 0 : 2;
}
