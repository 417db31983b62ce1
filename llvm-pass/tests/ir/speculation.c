// A load that the program does not make must not be made.
// RUN: clang -O2 -S -emit-llvm
// RUN: clang -O3 -S -emit-llvm
int shared;

// CHECK-LABEL: @conditional(
// CHECK-NOT: load i32, ptr @shared
// CHECK: br i1
int conditional(int c, int r) {
  if (c)
    r = shared;
  return r;
}
