// A resolver runs before anything it could use is there.
// RUN: clang -O0 -S -emit-llvm
int state;
static int implementation(void) { return state; }

// CHECK-LABEL: @helper(
// CHECK-NOT: racert
// CHECK: ret
static int helper(void) { return state++; }

// CHECK-LABEL: @resolve(
// CHECK-NOT: racert
// CHECK: ret
static void *resolve(void) { return helper() ? implementation : implementation; }

int chosen(void) __attribute__((ifunc("resolve")));

// CHECK-LABEL: @use(
// CHECK: @__racert_attach
int use(void) { return chosen(); }
