// Functions that opt out. The front end tells about the attribute only when
// it runs with -fsanitize=thread.
// RUN: clang -O1 -S -emit-llvm -Xclang -fsanitize=thread
// RUN: clang -O0 -S -emit-llvm -Xclang -fsanitize=thread

// CHECK-LABEL: @exempt(
// CHECK-NOT: racert
// CHECK: ret
__attribute__((no_sanitize("thread"))) int exempt(int *p) { return *p; }

// CHECK-LABEL: @disabled(
// CHECK-NOT: racert
// CHECK: ret
__attribute__((disable_sanitizer_instrumentation)) int disabled(int *p) { return *p; }

// CHECK-LABEL: @checked(
// CHECK: @__racert_read4
// CHECK: ret
int checked(int *p) { return *p; }

// ThreadSanitizer's own pass does nothing.
// CHECK-NOT: call void @__tsan_
