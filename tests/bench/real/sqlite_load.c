/* Two threads, each with a database file of its own in one process, fill a
 * table, search, sort, join, delete and update. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

enum { THREADS = 2, ROWS = 100000 };

struct job {
  int number;
  long long sum;
};

static void check(sqlite3 *db, int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
  exit(2);
}

static void run(sqlite3 *db, const char *sql) {
  check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

static long long number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  check(db, sqlite3_prepare_v2(db, sql, -1, &statement, NULL), sql);
  long long total = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    total = total * 31 + sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  return total;
}

static void *work(void *argument) {
  struct job *job = argument;
  char name[32];
  snprintf(name, sizeof name, "load-%d.db", job->number);
  sqlite3 *db = NULL;
  remove(name);
  check(db, sqlite3_open(name, &db), "open");
  run(db, "pragma journal_mode=memory; pragma synchronous=off;"
          "create table t(id integer primary key, k integer, s text); create index i on t(k)");
  run(db, "begin");
  sqlite3_stmt *insert = NULL;
  check(db, sqlite3_prepare_v2(db, "insert into t(k, s) values(?1, ?2)", -1, &insert, NULL), "insert");
  for (int i = 0; i < ROWS; i++) {
    char text[40];
    int length = snprintf(text, sizeof text, "row %d of thread %d", i * 7919 % ROWS, job->number);
    sqlite3_bind_int(insert, 1, (int)((unsigned)i * 7919u % 1000u));
    sqlite3_bind_text(insert, 2, text, length, SQLITE_TRANSIENT);
    check(db, sqlite3_step(insert), "step");
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run(db, "commit");
  job->sum += number(db, "select count(*) from t where s like '%9%1%'");
  job->sum += number(db, "select length(s) * k from t order by s desc limit 2000");
  job->sum += number(db, "select sum(a.k + b.id) from t a join t b on a.id = b.k where a.k < 300");
  run(db, "delete from t where k % 3 = 0; update t set s = upper(s) where k % 5 = 1");
  job->sum += number(db, "select count(*) + sum(k) from t group by k % 10");
  sqlite3_close(db);
  remove(name);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  struct job jobs[THREADS] = {{0, 0}, {1, 0}};
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0) return 2;
  }
  long long total = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    total = total * 31 + jobs[i].sum;
  }
  printf("checksum %lld\n", total);
  return 0;
}
