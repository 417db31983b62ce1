/* Two threads write to one database while three others walk through it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmdb.h"

enum { WRITERS = 2, READERS = 3, ROUNDS = 200, PAIRS = 20, KEYS = 1000 };

static MDB_env *env;
static MDB_dbi table;

static void check(int code) {
  if (code == 0) return;
  fprintf(stderr, "%s\n", mdb_strerror(code));
  exit(2);
}

static void *writer(void *argument) {
  int number = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    MDB_txn *transaction;
    check(mdb_txn_begin(env, NULL, 0, &transaction));
    for (int i = 0; i < PAIRS; i++) {
      int key = (number * 7919 + round * 31 + i * 17) % KEYS;
      char text[32];
      snprintf(text, sizeof text, "%d:%d", key, round);
      MDB_val name = {sizeof key, &key}, value = {strlen(text) + 1, text};
      check(mdb_put(transaction, table, &name, &value, 0));
    }
    check(mdb_txn_commit(transaction));
  }
  return NULL;
}

static void *reader(void *argument) {
  (void)argument;
  for (int round = 0; round < ROUNDS; round++) {
    MDB_txn *transaction;
    MDB_cursor *cursor;
    MDB_val name, value;
    check(mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction));
    check(mdb_cursor_open(transaction, table, &cursor));
    while (mdb_cursor_get(cursor, &name, &value, MDB_NEXT) == 0) {
      int key;
      memcpy(&key, name.mv_data, sizeof key);
      if (atoi(value.mv_data) != key) exit(3);
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  check(mdb_env_create(&env));
  check(mdb_env_set_mapsize(env, 10 << 20));
  check(mdb_env_open(env, argv[1], MDB_NOSYNC, 0644));
  MDB_txn *transaction;
  check(mdb_txn_begin(env, NULL, 0, &transaction));
  check(mdb_dbi_open(transaction, NULL, MDB_CREATE, &table));
  check(mdb_txn_commit(transaction));

  pthread_t threads[WRITERS + READERS];
  int numbers[WRITERS];
  for (int i = 0; i < WRITERS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, writer, &numbers[i]);
  }
  for (int i = WRITERS; i < WRITERS + READERS; i++) {
    pthread_create(&threads[i], NULL, reader, NULL);
  }
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join(threads[i], NULL);

  MDB_stat stat;
  check(mdb_env_stat(env, &stat));
  printf("%zu pairs\n", stat.ms_entries);
  mdb_env_close(env);
  return 0;
}
