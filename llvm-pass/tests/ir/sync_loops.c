// Hooks stand on the exits of loops that wait for another thread, behind the
// read that ended the loop, and nowhere else.
// RUN: clang -O0 -S -emit-llvm
// RUN: clang -O1 -S -emit-llvm
// RUN: clang -O2 -S -emit-llvm
// RUN: clang -O3 -S -emit-llvm
// RUN: clang -O2 -flto=thin -S -emit-llvm
// RUN: clang -O2 -flto -g -S -emit-llvm
typedef struct { long data[6]; } cond;
typedef struct { long data[5]; } mutex;
int pthread_cond_wait(cond *, mutex *);
int pthread_cond_timedwait(cond *, mutex *, const void *);
int pthread_mutex_lock(mutex *);
extern int ready, payload;
extern volatile int seen;
extern cond c;
extern mutex m;

// CHECK-LABEL: @simple(
// CHECK: @pthread_cond_wait
// CHECK: call void @__racert_wait_loop_exit(ptr {{.*}}@c, ptr {{.*}}@m, i32 65536, i32 1, ptr
// CHECK: load i32, ptr @payload
// CHECK: ret
int simple(void) {
  while (!ready)
    pthread_cond_wait(&c, &m);
  return payload;
}

// CHECK-LABEL: @timeout(
// CHECK-COUNT-1: call void @__racert_wait_loop_exit(
// CHECK-NOT: call void @__racert_wait_loop_exit(
// CHECK: ret i32
int timeout(void) {
  while (!ready)
    if (pthread_cond_timedwait(&c, &m, 0))
      return -1;
  return payload;
}

// CHECK-LABEL: @asks(
// CHECK: call void @__racert_condition_begin(i32
// CHECK: @test
// CHECK: call void @__racert_condition_end()
// CHECK: call void @__racert_wait_loop_exit(ptr {{.*}}@c, ptr {{.*}}@m, i32 4, i32 0, ptr {{.*}}null)
int test(void);
void asks(void) {
  while (!test())
    pthread_cond_wait(&c, &m);
}

// CHECK-LABEL: @spins(
// CHECK: load volatile i32, ptr @seen
// CHECK: call void @__racert_spin_loop_exit(ptr {{.*}}, i64 4, i32 8)
// CHECK: load i32, ptr @payload
int spins(void) {
  while (!seen)
    ;
  return payload;
}

// CHECK-LABEL: @lonely(
// CHECK: call void @__racert_wait_not_in_loop(ptr {{.*}}@c, ptr {{.*}}@m)
// CHECK: @pthread_cond_wait
int lonely(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  return payload;
}

// CHECK-LABEL: @no_synchronisation(
// CHECK-NOT: loop_exit
// CHECK-NOT: condition_begin
// CHECK-LABEL: @last(
int no_synchronisation(const int *a, const int *n, int x) {
  int sum = 0;
  for (int i = 0; i < *n; i++)
    sum += a[i];
  while (*a != x)
    a++;
  if (seen)
    sum += payload;
  return sum;
}
void last(void) {}
