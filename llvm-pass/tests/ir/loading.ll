; Constructors tell the runtime when they are done, destructors when they begin,
; and calls of dlopen what they have opened, if they return.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @fill, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @elsewhere, ptr null }, { i32, ptr, ptr } zeroinitializer]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @empty, ptr null }]
@value = global i32 0

declare void @elsewhere()
declare ptr @dlopen(ptr, i32)
declare ptr @dlsym(ptr, ptr)
declare i32 @personality(...)

; CHECK-LABEL: define internal void @fill(
; CHECK: store i32 42, ptr @value
; CHECK: call void @__racert_constructed()
; CHECK: ret void
; CHECK: call void @__racert_constructed()
; CHECK: ret void
define internal void @fill(i1 %c) {
  br i1 %c, label %some, label %none
some:
  store i32 42, ptr @value
  ret void
none:
  ret void
}

; CHECK-LABEL: define internal void @empty(
; CHECK: call void @__racert_destructing()
; CHECK: store i32 0, ptr @value
define internal void @empty() {
  store i32 0, ptr @value
  ret void
}

; CHECK-LABEL: define ptr @open(
; CHECK: %handle = call ptr @dlopen(
; CHECK: call void @__racert_opened(ptr %handle)
; CHECK: %symbol = call ptr @dlsym(
; CHECK-NOT: __racert_opened
; CHECK: ret ptr
define ptr @open(ptr %name) {
  %handle = call ptr @dlopen(ptr %name, i32 1)
  %symbol = call ptr @dlsym(ptr %handle, ptr %name)
  ret ptr %symbol
}

; CHECK-LABEL: define ptr @try_to_open(
; CHECK: %handle = invoke ptr @dlopen(
; CHECK: opened:
; CHECK: call void @__racert_opened(ptr %handle)
; CHECK: failed:
; CHECK-NOT: __racert_opened
; CHECK: resume
define ptr @try_to_open(ptr %name) personality ptr @personality {
  %handle = invoke ptr @dlopen(ptr %name, i32 1)
          to label %opened unwind label %failed
opened:
  ret ptr %handle
failed:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
