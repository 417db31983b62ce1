; The runtime looks away while Rust's standard library enters a thread into its
; table of stacks, whichever way that is left.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @enter(ptr)

; CHECK-LABEL: define void @_RNvNtNtNtNtNtCs0_3std3sys3pal4unix14stack_overflow3imp12make_handler(
; CHECK: store volatile
; CHECK: call void @__racert_unseen_begin
; CHECK: call void @enter(ptr %p)
; CHECK: call void @__racert_unseen_end
; CHECK: ret void
; CHECK: call void @__racert_unseen_end
; CHECK: ret void
define void @_RNvNtNtNtNtNtCs0_3std3sys3pal4unix14stack_overflow3imp12make_handler(i1 %c, ptr %p) {
  br i1 %c, label %some, label %none
some:
  call void @enter(ptr %p)
  ret void
none:
  store i64 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @make_handler(
; CHECK-NOT: __racert_unseen
; CHECK: ret void
define void @make_handler(ptr %p) {
  call void @enter(ptr %p)
  ret void
}
