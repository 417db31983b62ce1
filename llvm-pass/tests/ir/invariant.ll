; An address that does not change is checked once, in front of the loop.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @sync()

; CHECK-LABEL: define void @hoisted(
; CHECK: entry:
; CHECK: @__racert_write8.jump(ptr %p)
; CHECK: loop:
; CHECK-NOT: @__racert_{{read|write}}
; CHECK: ret
define void @hoisted(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %v = load i64, ptr %p, align 8
  %w = xor i64 %v, %i
  store i64 %w, ptr %p, align 8
  %j = add i64 %i, 1
  %e = icmp eq i64 %j, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}

; Not sure to happen.
; CHECK-LABEL: define void @conditional(
; CHECK: then:
; CHECK: @__racert_write8.jump(ptr %p)
define void @conditional(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %c = icmp eq i64 %i, 77
  br i1 %c, label %then, label %next
then:
  store i64 %i, ptr %p, align 8
  br label %next
next:
  %j = add i64 %i, 1
  %e = icmp eq i64 %j, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}

; The loop synchronises.
; CHECK-LABEL: define void @synchronises(
; CHECK: loop:
; CHECK: @__racert_write8.jump(ptr %p)
; CHECK: call void @sync()
define void @synchronises(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  store i64 %i, ptr %p, align 8
  call void @sync()
  %j = add i64 %i, 1
  %e = icmp eq i64 %j, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}

; Exactly n elements of 4 bytes, or none.
; CHECK-LABEL: define void @exact(
; CHECK: entry:
; CHECK: [[LENGTH:%.*]] = shl i64 %n, 2
; CHECK: icmp ne i64 [[LENGTH]], 0
; CHECK: call void @__racert_write_range(ptr %p, i64 [[LENGTH]])
; CHECK: loop:
; CHECK-NOT: @__racert_{{read|write}}
; CHECK: ret
define void @exact(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %e = icmp eq i64 %i, %n
  br i1 %e, label %out, label %body
body:
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q, align 4
  %j = add i64 %i, 1
  br label %loop
out:
  ret void
}
