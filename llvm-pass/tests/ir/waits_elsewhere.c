// Files that are linked later tell each other which functions wait, and loops
// ask for it on their way out.
// RUN: clang -O0 -flto=thin -S -emit-llvm
// RUN: clang -O2 -flto=thin -S -emit-llvm
// RUN: clang -O2 -flto -S -emit-llvm
typedef struct { long data[6]; } cond;
typedef struct { long data[5]; } mutex;
int pthread_cond_wait(cond *, mutex *);
int pthread_mutex_lock(mutex *);
void work(void);
void further(cond *, mutex *);
void prints(const char *);
extern int ready;

// CHECK-DAG: @__racert_waits.waits_here = weak {{(local_unnamed_addr )?}}constant { i64, i64 } { i64 1, i64 0 }
// CHECK-DAG: @__racert_waits.hands_on = weak hidden {{(local_unnamed_addr )?}}global { i64, i64, ptr } { i64 0, i64 1, ptr @__racert_waits.further }
// CHECK-DAG: @__racert_waits.further = extern_weak global i64
// CHECK-DAG: @__racert_waits.work = extern_weak global i64
// CHECK-NOT: @__racert_waits.waits_for_itself
// CHECK-NOT: @__racert_waits.locks_itself
// CHECK-NOT: @__racert_waits.says
int waits_here(cond *c, mutex *m) { return pthread_cond_wait(c, m); }
__attribute__((noinline)) static int waits_for_itself(cond *c, mutex *m) {
  return pthread_cond_wait(c, m);
}
int use(cond *c, mutex *m) { return waits_for_itself(c, m); }
void hands_on(cond *c, mutex *m) { further(c, m); }
void locks_itself(cond *c, mutex *m) {
  pthread_mutex_lock(m);
  further(c, m);
}
void says(void) { prints("nothing that anybody waits for"); }

// CHECK-LABEL: @calls(
// CHECK: icmp {{ne|eq}} ptr @__racert_waits.work, null
// CHECK: call i32 @__racert_waits(ptr {{.*}}@__racert_waits.work)
// CHECK: call void @__racert_wait_loop_exit(ptr null, ptr null, i32 65536, i32 1, ptr
void calls(void) {
  while (!ready)
    work();
}

// CHECK-LABEL: @calls_helper(
// CHECK: call i32 @__racert_waits(ptr {{.*}}@__racert_waits.further)
// CHECK: call void @__racert_wait_loop_exit(ptr null, ptr null, i32 65536, i32 1, ptr
__attribute__((noinline)) static void helper(cond *c, mutex *m) { further(c, m); }
void calls_helper(cond *c, mutex *m) {
  while (!ready)
    helper(c, m);
}
