; The shadow call stack.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @callee()
declare i32 @__gxx_personality_v0(...)
declare i32 @setjmp(ptr) returns_twice

; CHECK-LABEL: define void @calls(
; CHECK: [[LOADED:%.*]] = load ptr, ptr getelementptr (i8, ptr @__racert_tls, i64 8)
; CHECK: [[NULL:%.*]] = icmp eq ptr [[LOADED]], null
; CHECK: [[ATTACHED:%.*]] = call preserve_mostcc ptr @__racert_attach.jump()
; CHECK: [[SAVED:%.*]] = phi ptr [ [[LOADED]], {{.*}} ], [ [[ATTACHED]], {{.*}} ]
; CHECK: [[TOP:%.*]] = getelementptr i8, ptr [[SAVED]], i64 16
; CHECK: store volatile ptr [[TOP]], ptr getelementptr (i8, ptr @__racert_tls, i64 8)
; CHECK: [[CALLER:%.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK: store volatile ptr [[CALLER]], ptr [[SAVED]]
; CHECK: store volatile i64 0
; CHECK: call void @callee()
; CHECK: store volatile ptr [[SAVED]], ptr getelementptr (i8, ptr @__racert_tls, i64 8)
; CHECK-NEXT: ret void
define void @calls() {
  call void @callee()
  ret void
}

; CHECK-LABEL: define void @unwinds(
; CHECK: [[SAVED:%.*]] = phi ptr
; CHECK: [[TOP:%.*]] = getelementptr i8, ptr [[SAVED]], i64 16
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: store volatile ptr [[TOP]]
; CHECK: store volatile ptr [[SAVED]]
; CHECK-NEXT: resume
define void @unwinds() personality ptr @__gxx_personality_v0 {
  invoke void @callee() to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; CHECK-LABEL: define void @tail(
; CHECK: [[SAVED:%.*]] = phi ptr
; CHECK: store volatile ptr [[SAVED]], ptr getelementptr (i8, ptr @__racert_tls, i64 8)
; CHECK-NEXT: musttail call void @callee()
; CHECK-NEXT: ret void
define void @tail() {
  musttail call void @callee()
  ret void
}

; CHECK-LABEL: define i32 @twice(
; CHECK: [[SAVED:%.*]] = phi ptr
; CHECK: [[TOP:%.*]] = getelementptr i8, ptr [[SAVED]], i64 16
; CHECK: call i32 @setjmp(
; CHECK-NEXT: store volatile ptr [[TOP]]
define i32 @twice(ptr %b) {
  %r = call i32 @setjmp(ptr %b) returns_twice
  ret i32 %r
}

; A function that calls nothing pays only for misses.
; CHECK-LABEL: define i64 @leaf(
; CHECK-NOT: returnaddress
; CHECK: br i1
; CHECK: [[SAVED:%.*]] = phi ptr
; CHECK: call ptr @llvm.returnaddress(i32 0)
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr %p)
; CHECK-NEXT: store volatile ptr [[SAVED]]
; CHECK: load i64, ptr %p
; CHECK-NEXT: ret i64
define i64 @leaf(ptr %p) {
  %v = load i64, ptr %p, align 8
  ret i64 %v
}

; Local variables stay in the entry block.
; CHECK-LABEL: define void @late_alloca(
; CHECK-NEXT: %a = alloca i32
define void @late_alloca(ptr %p) {
  store i64 0, ptr %p, align 8
  %a = alloca i32, align 4
  store volatile i32 1, ptr %a
  ret void
}
