; Elements of an array that lie one behind the other.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; One test of all, then granules, if they are whole ones, else elements.
; CHECK-LABEL: define i32 @two(
; CHECK-COUNT-2: load atomic i64
; CHECK-NOT: load atomic i64
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr %p)
; CHECK-NOT: @__racert_read8
; CHECK: call preserve_mostcc void @__racert_read4.jump(ptr %p)
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK: call preserve_mostcc void @__racert_read4.jump(ptr [[SECOND]])
; CHECK-NOT: @__racert_read
; CHECK: ret
define i32 @two(ptr %p) {
  %a = load i32, ptr %p, align 4
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q, align 4
  %c = add i32 %a, %b
  ret i32 %c
}

; Written from the last to the first, the test starts with the first.
; CHECK-LABEL: define void @backwards(
; CHECK: [[START:%.*]] = getelementptr i8, ptr %q, i64 -4
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr [[START]])
; CHECK: call preserve_mostcc void @__racert_write4.jump(ptr [[START]])
; CHECK: store i32 1, ptr %q
define void @backwards(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %q, align 4
  store i32 2, ptr %p, align 4
  ret void
}

; The third is not half of a granule: it has a test of its own.
; CHECK-LABEL: define void @three(
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr %p)
; CHECK: store i32 1, ptr %p
; CHECK: call preserve_mostcc void @__racert_write4.jump(ptr %r)
; CHECK: store i32 3, ptr %r
define void @three(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %r = getelementptr i8, ptr %p, i64 8
  store i32 1, ptr %p, align 4
  store i32 2, ptr %q, align 4
  store i32 3, ptr %r, align 4
  ret void
}

; A gap, other sizes, other directions, and a call in between.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: @__racert_{{read|write}}8
; CHECK: ret
declare void @other()
define void @apart(ptr %p) {
  %p4 = getelementptr i8, ptr %p, i64 4
  %p12 = getelementptr i8, ptr %p, i64 12
  %p14 = getelementptr i8, ptr %p, i64 14
  %p20 = getelementptr i8, ptr %p, i64 20
  store i32 1, ptr %p, align 4
  %a = load i32, ptr %p4, align 4
  store i32 1, ptr %p12, align 4
  store i16 1, ptr %p14, align 2
  call void @other()
  store i32 %a, ptr %p20, align 4
  ret void
}
