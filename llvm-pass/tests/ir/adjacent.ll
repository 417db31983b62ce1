; Neighbouring fields.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @fill_a_granule(
; CHECK: call preserve_mostcc void @__racert_read8.jump(
; CHECK-NOT: @__racert_read
; CHECK: ret
define i32 @fill_a_granule(ptr align 8 %p) {
  %a = load i32, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q, align 4
  %c = add i32 %a, %b
  ret i32 %c
}

; The second field first: the check starts where the granule does.
; CHECK-LABEL: define void @backwards(
; CHECK: [[START:%.*]] = getelementptr i8, ptr %q, i64 -4
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr [[START]])
; CHECK-NOT: @__racert_write
; CHECK: ret
define void @backwards(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %q, align 4
  store i32 2, ptr %p, align 8
  ret void
}

; A gap is not filled.
; CHECK-LABEL: define void @gap(
; CHECK: @__racert_write1.jump
; CHECK: @__racert_write4.jump
define void @gap(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 4
  store i8 1, ptr %p, align 8
  store i32 2, ptr %q, align 4
  ret void
}

; Another granule each.
; CHECK-LABEL: define void @across(
; CHECK: @__racert_write4.jump
; CHECK: @__racert_write4.jump
define void @across(ptr align 8 %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %r = getelementptr i8, ptr %p, i64 8
  store i32 1, ptr %q, align 4
  store i32 2, ptr %r, align 8
  ret void
}

; The 8-byte field tells where the small one lies.
; CHECK-LABEL: define void @learnt(
; CHECK-NOT: shl
; CHECK: @__racert_write2.jump
; CHECK: ret
define void @learnt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 10
  %a = load i64, ptr %p, align 8
  store i16 1, ptr %q, align 2
  ret void
}
