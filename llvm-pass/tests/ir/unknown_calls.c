// A loop that calls a function of another file is left alone, unless files can
// tell each other when they are linked.
// RUN: clang -O0 -S -emit-llvm
// RUN: clang -O2 -S -emit-llvm
void work(void);
extern volatile int seen;

// CHECK-NOT: __racert_waits.
// CHECK-LABEL: @calls(
// CHECK-NOT: loop_exit
// CHECK-LABEL: @last(
void calls(void) {
  while (!seen)
    work();
}
void last(void) {}
