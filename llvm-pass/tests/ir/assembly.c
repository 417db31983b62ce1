// Memory operands of inline assembly.
// RUN: clang -O1 -S -emit-llvm

// CHECK-LABEL: @operands(
// CHECK: call preserve_mostcc void @__racert_{{read4|write8}}
// CHECK: call preserve_mostcc void @__racert_{{read4|write8}}
// CHECK: call void asm
void operands(long *out, int *in) { __asm__("movslq %1, %%rax; movq %%rax, %0" : "=m"(*out) : "m"(*in) : "rax"); }

// CHECK-LABEL: @locked(
// CHECK: call void @__racert_atomic_rmw_begin(ptr %{{.*}}, i32 4, i32 5)
// CHECK: call {{.*}} asm sideeffect "lock xaddl
// CHECK: call void @__racert_atomic_rmw_end(ptr %{{.*}}, i32 4, i32 5)
int locked(int *p, int v) {
  __asm__ volatile("lock xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}

// CHECK-LABEL: @exchanged(
// CHECK: call void @__racert_atomic_rmw_begin(
char exchanged(char *p, char v) {
  __asm__ volatile("xchgb %0, %1" : "+q"(v), "+m"(*p));
  return v;
}

// CHECK-LABEL: @barrier(
// CHECK-NOT: racert
// CHECK: ret void
void barrier(void) { __asm__ volatile("" ::: "memory"); }
