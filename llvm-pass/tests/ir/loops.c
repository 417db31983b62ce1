// Loops at -O2, where they are unrolled and vectorised already.
// RUN: clang -O2 -S -emit-llvm
// RUN: clang -O3 -march=x86-64-v3 -S -emit-llvm
#include <stddef.h>

void sync(void);

// CHECK-LABEL: @fill(
// CHECK: call void @__racert_write_range(ptr
// CHECK-NOT: call preserve_mostcc void @__racert_write
// CHECK: ret void
void fill(int *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 7 * i;
}

// What is left for shorter vectors is tested there, granule by granule.
// CHECK-LABEL: @backwards(
// CHECK: call void @__racert_write_range(ptr
// CHECK-NOT: call preserve_mostcc void @__racert_write{{[124]}}
// CHECK: ret void
void backwards(long *p, long n) {
  for (long i = n; i > 0; i--)
    p[i] = i;
}

struct pair {
  int a, b;
};

// Both fields together leave no gap.
// CHECK-LABEL: @pairs(
// CHECK: call void @__racert_read_range(ptr
// CHECK-NOT: call preserve_mostcc void @__racert_read
// CHECK: ret i32
int pairs(const struct pair *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a * p[i].b;
  return s;
}

// One field leaves gaps: the other one must not be reported.
// CHECK-LABEL: @gaps(
// CHECK-NOT: range
// CHECK: call preserve_mostcc void @__racert_write4
// CHECK-NOT: range
// CHECK: ret void
void gaps(struct pair *p, int n) {
  for (int i = 0; i < n; i++)
    p[i].a = i;
}

// Nobody knows how far this goes.
// CHECK-LABEL: @search(
// CHECK-NOT: range
// CHECK: call preserve_mostcc void @__racert_read4
// CHECK: ret i64
long search(const int *p, long n, int k) {
  for (long i = 0; i < n; i++)
    if (p[i] == k)
      return i;
  return -1;
}

// The call may synchronise.
// CHECK-LABEL: @with_call(
// CHECK-NOT: range
// CHECK: call preserve_mostcc void @__racert_write4
void with_call(int *p, long n) {
  for (long i = 0; i < n; i++) {
    p[i] = i;
    sync();
  }
}

// CHECK-LABEL: @conditional(
// CHECK-NOT: write_range
// CHECK: ret void
void conditional(int *p, const int *c, long n) {
  for (long i = 0; i < n; i++)
    if (c[i] == 12345)
      p[i * 2] = i;
}
