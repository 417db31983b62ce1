// Each kernel touches bytes whose set is known; the stand-in runtime records
// what is checked, and both must agree to the byte.
#include <stdio.h>
#include <string.h>

#define SIZE 4096

// Provided by the stand-in: the bytes of the watched buffer that were checked
// since the last reset, 1 for read, 2 for written.
void mock_watch(void *start, unsigned long size);
unsigned char *mock_touched(void);

static _Alignas(64) unsigned char buffer[SIZE];
static int failed;
volatile long zero, sink;

#define NOINLINE __attribute__((noinline))

NOINLINE static void up(int *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = i;
}
NOINLINE static void down(short *p, int n) {
  for (int i = n - 1; i >= 0; i--)
    p[i] = i;
}
NOINLINE static void every_second(int *p, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    p[2 * i] = i;
}
NOINLINE static long sum(const unsigned char *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}
struct pair {
  int a, b;
};
NOINLINE static void swap(struct pair *p, int n) {
  for (int i = 0; i < n; i++) {
    int t = p[i].a;
    p[i].a = p[i].b;
    p[i].b = t;
  }
}
NOINLINE static void add(long *a, const long *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}
NOINLINE static int find(const int *p, int n, int k) {
  for (int i = 0; i < n; i++)
    if (p[i] == k)
      return i;
  return -1;
}
NOINLINE static void smooth(int *p, int n) {
  for (int i = 1; i + 1 < n; i++)
    p[i] = (p[i - 1] + p[i + 1]) / 2;
}
NOINLINE static void matrix(int (*m)[16], int rows, int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j]++;
}
NOINLINE static void some(char *p, int n) {
  for (int i = 0; i < n; i++)
    if (i % 3 == 1)
      p[i] = 1;
}
NOINLINE static void until(unsigned char *p) {
  while (*p)
    *p++ = 7;
}

static unsigned char expected[SIZE];

static void mark(long from, long to, int bits) {
  for (long i = from; i < to; i++)
    expected[i] |= bits;
}

static void check(const char *what, long n) {
  unsigned char *touched = mock_touched();
  for (long i = 0; i < SIZE; i++) {
    // A write check stands for the read before it.
    int t = touched[i] & 2 ? 2 : touched[i], e = expected[i] & 2 ? 2 : expected[i];
    if (t != e) {
      printf("%s(%ld): byte %ld is %d, should be %d\n", what, n, i, t, e);
      failed = 1;
      break;
    }
  }
  memset(expected, 0, SIZE);
}

#define CASE(call, marks)                                                                \
  do {                                                                                   \
    memset(buffer, 0, SIZE);                                                             \
    mock_watch(buffer, SIZE);                                                            \
    call;                                                                                \
    mock_watch(0, 0);                                                                    \
    marks;                                                                               \
    check(#call, n);                                                                     \
  } while (0)

__attribute__((disable_sanitizer_instrumentation)) int main(void) {
  for (long n = zero; n < 70; n++) {
    CASE(up((int *)(buffer + 8), n), mark(8, 8 + 4 * n, 2));
    CASE(up((int *)(buffer + 4), n), mark(4, 4 + 4 * n, 2));
    CASE(down((short *)(buffer + 6), n), mark(6, 6 + 2 * n, 2));
    CASE(every_second((int *)buffer, n), for (long i = 0; i < n; i++) mark(8 * i, 8 * i + 4, 2));
    CASE(sink = sum(buffer + 3, n), mark(3, 3 + n, 1));
    CASE(swap((struct pair *)(buffer + 16), n), mark(16, 16 + 8 * n, 2));
    CASE(add((long *)buffer, (long *)(buffer + 1024), n),
         (mark(0, 8 * n, 2), mark(1024, 1024 + 8 * n, 1)));
    CASE(sink = find((int *)buffer, n, 0), mark(0, n ? 4 : 0, 1));
    CASE(smooth((int *)buffer, n),
         if (n > 2) (mark(0, 4 * n, 1), mark(4, 4 * (n - 1), 2)));
    CASE(matrix((int(*)[16])buffer, n % 9, n % 16),
         for (long i = 0; i < n % 9; i++) mark(64 * i, 64 * i + 4 * (n % 16), 2));
    CASE(some((char *)buffer, n), for (long i = 1; i < n; i += 3) mark(i, i + 1, 2));
    buffer[0] = 0;
    memset(buffer, 0, SIZE);
    memset(buffer + 5, 1, n);
    mock_watch(buffer, SIZE);
    until(buffer + 5);
    mock_watch(0, 0);
    mark(5, 5 + n + 1, 1), mark(5, 5 + n, 2);
    check("until", n);
  }
  if (!failed)
    puts("exact");
}
