; Checks covered by others, and those that only look so.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @sync()
declare i32 @pure(i32) nosync nounwind willreturn memory(read)

; CHECK-LABEL: define i64 @same_block(
; CHECK: @__racert_read8.jump
; CHECK-NOT: @__racert_read
; CHECK: ret
define i64 @same_block(ptr %p) {
  %a = load i64, ptr %p, align 8
  %h = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %h, align 4
  %c = call i32 @pure(i32 %b)
  %d = load i64, ptr %p, align 8
  ret i64 %d
}

; CHECK-LABEL: define void @write_covers_read(
; CHECK: @__racert_write8.jump
; CHECK-NOT: @__racert_{{read|write}}
; CHECK: ret
define void @write_covers_read(ptr %p) {
  store i64 1, ptr %p, align 8
  %a = load i64, ptr %p, align 8
  ret void
}

; CHECK-LABEL: define i64 @call_between(
; CHECK: @__racert_read8.jump
; CHECK: call void @sync()
; CHECK: @__racert_read8.jump
define i64 @call_between(ptr %p) {
  %a = load i64, ptr %p, align 8
  call void @sync()
  %b = load i64, ptr %p, align 8
  ret i64 %b
}

; CHECK-LABEL: define i64 @atomic_between(
; CHECK: @__racert_read8.jump
; CHECK: @__racert_atomic32_load
; CHECK: @__racert_read8.jump
define i64 @atomic_between(ptr %p, ptr %q) {
  %a = load i64, ptr %p, align 8
  %x = load atomic i32, ptr %q acquire, align 4
  %b = load i64, ptr %p, align 8
  ret i64 %b
}

; On every path into the join.
; CHECK-LABEL: define i64 @all_paths(
; CHECK-COUNT-2: @__racert_read8.jump
; CHECK-NOT: @__racert_read
; CHECK: ret
define i64 @all_paths(ptr %p, i1 %c) {
  br i1 %c, label %l, label %r
l:
  %a = load i64, ptr %p, align 8
  br label %j
r:
  %b = load i64, ptr %p, align 8
  br label %j
j:
  %d = load i64, ptr %p, align 8
  ret i64 %d
}

; On one path only.
; CHECK-LABEL: define i64 @one_path(
; CHECK-COUNT-2: @__racert_read8.jump
; CHECK: ret
define i64 @one_path(ptr %p, i1 %c) {
  br i1 %c, label %l, label %j
l:
  %a = load i64, ptr %p, align 8
  br label %j
j:
  %d = load i64, ptr %p, align 8
  ret i64 %d
}

; On one of the paths there is a call.
; CHECK-LABEL: define i64 @call_on_a_path(
; CHECK-COUNT-2: @__racert_read8.jump
; CHECK: ret
define i64 @call_on_a_path(ptr %p, i1 %c) {
  %a = load i64, ptr %p, align 8
  br i1 %c, label %l, label %j
l:
  call void @sync()
  br label %j
j:
  %d = load i64, ptr %p, align 8
  ret i64 %d
}

; The same name is another address in the next iteration.
; CHECK-LABEL: define void @list(
; CHECK: loop:
; CHECK: @__racert_read8.jump
; CHECK: ret
define void @list(ptr %head) {
entry:
  br label %loop
loop:
  %n = phi ptr [ %head, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %n, align 8
  %e = icmp eq ptr %next, null
  br i1 %e, label %out, label %loop
out:
  ret void
}

; CHECK-LABEL: define void @increment(
; CHECK: @__racert_write4.jump(ptr %p)
; CHECK: load i32, ptr %p
; CHECK-NOT: @__racert_{{read|write}}
; CHECK: ret
define void @increment(ptr %p) {
  %a = load i32, ptr %p, align 4
  %b = add i32 %a, 1
  store i32 %b, ptr %p, align 4
  ret void
}

; A volatile access may be hand-made synchronisation.
; CHECK-LABEL: define i64 @volatile_between(
; CHECK: @__racert_read8.jump(ptr %p)
; CHECK: @__racert_read4.jump(ptr %q)
; CHECK: @__racert_read8.jump(ptr %p)
define i64 @volatile_between(ptr %p, ptr %q) {
  %a = load i64, ptr %p, align 8
  %x = load volatile i32, ptr %q, align 4
  %b = load i64, ptr %p, align 8
  ret i64 %b
}
