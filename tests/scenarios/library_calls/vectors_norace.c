// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "scenario.h"

// Buffers in a table, at a place of a file.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int zero, null;
char a0[2][4];
char a1[2][4];
struct iovec a2[1];
struct iovec a3[1];
char a4[8];
char a5[8];

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[1][2] = 1;
  a1[1][2] = 1;
  a2[0].iov_len = 0;
  a3[0].iov_len = 0;
  CONSUME(a4[7]);
  a5[7] = 1;
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  if (preadv(zero, (struct iovec[]){{a0[0], 4}, {a0[1], 4}}, 2, 0) != 8) abort();
  if (pwritev(null, (struct iovec[]){{a1[0], 4}, {a1[1], 4}}, 2, 0) != 8) abort();
  CONSUME(preadv(zero, a2, 1, 0));
  CONSUME(pwritev(null, a3, 1, 0));
  if (preadv2(zero, &(struct iovec){a4, 8}, 1, 0, 0) != 8) abort();
  if (pwritev2(null, &(struct iovec){a5, 8}, 1, 0, 0) != 8) abort();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  zero = open("/dev/zero", O_RDONLY);
  null = open("/dev/null", O_WRONLY);
  run_accesses(run_two, writer, reader);
}
