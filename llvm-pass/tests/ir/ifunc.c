// A resolver runs before anything it could use is there.
// RUN: clang -O0 -S -emit-llvm
int state;
static int implementation(void) { return state; }

static int helper(void) { return state++; }

// CHECK-LABEL: define internal ptr @resolve(
// CHECK-NOT: __racert
// CHECK: ret
// CHECK-LABEL: define internal i32 @helper(
// CHECK-NOT: __racert
// CHECK: ret
static void *resolve(void) { return helper() ? implementation : implementation; }

int chosen(void) __attribute__((ifunc("resolve")));

int use(void) { return chosen(); }
