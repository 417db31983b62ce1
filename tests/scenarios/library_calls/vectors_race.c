// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 preadv (, #0 pwritev (, #0 preadv2 (, #0 pwritev2 (
// reports: any
// tsan: skip, it does not know all of the functions
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "scenario.h"

// Buffers in a table, at a place of a file.
static int zero, null;
char a0[2][4];
char a1[2][4];
struct iovec a2[1];
struct iovec a3[1];
char a4[8];
char a5[8];

NOINLINE static void writer(void) {
  a0[1][2] = 1; // here
  a1[1][2] = 1; // here
  a2[0].iov_len = 0; // here
  a3[0].iov_len = 0; // here
  CONSUME(a4[7]); // here
  a5[7] = 1; // here
}
NOINLINE static void reader(void) {
  if (preadv(zero, (struct iovec[]){{a0[0], 4}, {a0[1], 4}}, 2, 0) != 8) abort(); // here
  if (pwritev(null, (struct iovec[]){{a1[0], 4}, {a1[1], 4}}, 2, 0) != 8) abort(); // here
  CONSUME(preadv(zero, a2, 1, 0)); // here
  CONSUME(pwritev(null, a3, 1, 0)); // here
  if (preadv2(zero, &(struct iovec){a4, 8}, 1, 0, 0) != 8) abort(); // here
  if (pwritev2(null, &(struct iovec){a5, 8}, 1, 0, 0) != 8) abort(); // here
}

int main(void) {
  zero = open("/dev/zero", O_RDONLY);
  null = open("/dev/null", O_WRONLY);
  run_accesses(run_two, writer, reader);
}
