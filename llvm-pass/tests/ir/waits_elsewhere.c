// Files that are linked later tell each other which functions wait, and loops
// ask for it on their way out.
// RUN: clang -O0 -flto=thin -S -emit-llvm
// RUN: clang -O2 -flto=thin -S -emit-llvm
// RUN: clang -O2 -flto -S -emit-llvm
typedef struct { long data[6]; } cond;
typedef struct { long data[5]; } mutex;
int pthread_cond_wait(cond *, mutex *);
void work(void);
extern int ready;

// CHECK-DAG: @__racert_waits.waits_here = weak {{(local_unnamed_addr )?}}constant [1 x i8] zeroinitializer
// CHECK-DAG: @__racert_waits.work = extern_weak global [1 x i8]
// CHECK-NOT: @__racert_waits.waits_for_itself
int waits_here(cond *c, mutex *m) { return pthread_cond_wait(c, m); }
__attribute__((noinline)) static int waits_for_itself(cond *c, mutex *m) {
  return pthread_cond_wait(c, m);
}
int use(cond *c, mutex *m) { return waits_for_itself(c, m); }

// CHECK-LABEL: @calls(
// CHECK: icmp {{ne|eq}} ptr @__racert_waits.work, null
// CHECK: call void @__racert_wait_loop_exit(ptr null, ptr null, i32 65536, i32 1, ptr
void calls(void) {
  while (!ready)
    work();
}
