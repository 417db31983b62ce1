; Atomic operations become calls of the runtime, orders as C11 numbers them.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @loads(
; CHECK: call i32 @__racert_atomic32_load(ptr %p, i32 0)
; CHECK: call i64 @__racert_atomic64_load(ptr %p, i32 2)
; CHECK: inttoptr i64
; CHECK: call i64 @__racert_atomic64_load(ptr %p, i32 5)
; CHECK: bitcast i64 {{.*}} to double
; CHECK: call i8 @__racert_atomic8_load(ptr %p, i32 0)
; CHECK-NOT: load atomic i
; CHECK: ret i32
define i32 @loads(ptr %p) {
  %a = load atomic i32, ptr %p monotonic, align 4
  %b = load atomic ptr, ptr %p acquire, align 8
  %c = load atomic double, ptr %p seq_cst, align 8
  %d = load atomic i8, ptr %p unordered, align 1
  ret i32 %a
}

; CHECK-LABEL: define void @stores(
; CHECK: call void @__racert_atomic16_store(ptr %p, i16 {{.*}}, i32 3)
; CHECK: [[V:%.*]] = bitcast float %f to i32
; CHECK: call void @__racert_atomic32_store(ptr %p, i32 [[V]], i32 5)
define void @stores(ptr %p, i16 %v, float %f) {
  store atomic i16 %v, ptr %p release, align 2
  store atomic float %f, ptr %p seq_cst, align 4
  ret void
}

; CHECK-LABEL: define i64 @operations(
; CHECK: call i64 @__racert_atomic64_fetch_add(ptr %p, i64 %v, i32 4)
; CHECK: call i64 @__racert_atomic64_exchange(ptr %p, i64 %v, i32 2)
; CHECK: call i64 @__racert_atomic64_fetch_nand(ptr %p, i64 %v, i32 0)
; CHECK: call void @__racert_atomic_rmw_begin(ptr %p, i32 8, i32 5)
; CHECK-NEXT: atomicrmw umax ptr %p, i64 %v seq_cst
; CHECK-NEXT: call void @__racert_atomic_rmw_end(ptr %p, i32 8, i32 5)
; CHECK: call void @__racert_atomic_rmw_begin(ptr %p, i32 4, i32 0)
; CHECK-NEXT: atomicrmw fadd ptr %p, float
define i64 @operations(ptr %p, i64 %v) {
  %a = atomicrmw add ptr %p, i64 %v acq_rel
  %b = atomicrmw xchg ptr %p, i64 %v acquire
  %c = atomicrmw nand ptr %p, i64 %v monotonic
  %d = atomicrmw umax ptr %p, i64 %v seq_cst
  %e = atomicrmw fadd ptr %p, float 1.0 monotonic
  ret i64 %a
}

; CHECK-LABEL: define i1 @exchange(
; CHECK: [[OLD:%.*]] = call i64 @__racert_atomic64_compare_exchange(ptr %p, i64 [[E:%.*]], i64 {{%.*}}, i32 4, i32 2)
; CHECK: [[OK:%.*]] = icmp eq i64 [[OLD]], [[E]]
; CHECK: [[OLDP:%.*]] = inttoptr i64 [[OLD]] to ptr
; CHECK: [[PAIR:%.*]] = insertvalue { ptr, i1 } poison, ptr [[OLDP]], 0
; CHECK: insertvalue { ptr, i1 } [[PAIR]], i1 [[OK]], 1
define i1 @exchange(ptr %p, ptr %e, ptr %d) {
  %r = cmpxchg weak ptr %p, ptr %e, ptr %d acq_rel acquire
  %s = extractvalue { ptr, i1 } %r, 1
  ret i1 %s
}

; 16 bytes only where the processor can do it; else a library may take a lock.
; CHECK-LABEL: define i128 @wide(
; CHECK: call i128 @__racert_atomic128_load(ptr %p, i32 5)
define i128 @wide(ptr %p) #0 {
  %a = load atomic i128, ptr %p seq_cst, align 16
  ret i128 %a
}

; CHECK-LABEL: define i128 @wide_by_library(
; CHECK: call void @__racert_atomic_rmw_begin(ptr %p, i32 16, i32 5)
; CHECK-NEXT: load atomic i128
; CHECK-NEXT: call void @__racert_atomic_rmw_end(ptr %p, i32 16, i32 5)
define i128 @wide_by_library(ptr %p) {
  %a = load atomic i128, ptr %p seq_cst, align 16
  ret i128 %a
}

; CHECK-LABEL: define void @fences(
; CHECK: call void @__racert_fence(i32 4)
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NOT: fence acq_rel
; CHECK: ret void
define void @fences() {
  fence acq_rel
  fence syncscope("singlethread") seq_cst
  ret void
}

; CHECK-LABEL: define i32 @this_thread_only(
; CHECK-NOT: racert_atomic
; CHECK: ret i32
define i32 @this_thread_only(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 syncscope("singlethread") monotonic
  ret i32 %a
}

; Narrow arguments are extended, the runtime relies on it.
; CHECK: declare void @__racert_atomic16_store(ptr, i16 zeroext, i32)
attributes #0 = { "target-features"="+cx16,+cx8" }
