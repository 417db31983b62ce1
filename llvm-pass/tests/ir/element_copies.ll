; Copies whose elements are atomic one by one.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)

; CHECK-LABEL: define void @copy(
; CHECK: [[COUNT:%.*]] = udiv i64 %n, 4
; CHECK: icmp ne i64 [[COUNT]], 0
; CHECK: [[FROM:%.*]] = getelementptr i32, ptr %s, i64 [[INDEX:%.*]]
; CHECK: call {{.*}}@__racert_atomic32_load(ptr [[FROM]], i32 0)
; CHECK: [[TO:%.*]] = getelementptr i32, ptr %d, i64 [[INDEX]]
; CHECK: call {{.*}}@__racert_atomic32_store(ptr [[TO]]
; CHECK-NOT: @llvm.memcpy
; CHECK: ret void
define void @copy(ptr align 4 %d, ptr align 4 %s, i64 %n) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %d, ptr align 4 %s, i64 %n, i32 4)
  ret void
}

; CHECK-LABEL: define void @move(
; CHECK: [[BACK:%.*]] = icmp ugt ptr %d, %s
; CHECK: select i1 [[BACK]]
; CHECK: @__racert_atomic64_load
; CHECK: @__racert_atomic64_store
define void @move(ptr align 8 %d, ptr align 8 %s, i64 %n) {
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 %n, i32 8)
  ret void
}

; CHECK-LABEL: define void @fill(
; CHECK: [[WIDE:%.*]] = zext i8 %b to i16
; CHECK: [[BOTH:%.*]] = mul i16 [[WIDE]], 257
; CHECK: call {{.*}}@__racert_atomic16_store(ptr {{.*}}, i16 [[BOTH]]
define void @fill(ptr align 2 %d, i8 %b, i64 %n) {
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 2 %d, i8 %b, i64 %n, i32 2)
  ret void
}
