; Functions of the heap, and some of the C++ library, are called by names that lead to the runtime; what a
; module defines itself, and what only looks like them, stays.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64)
declare void @_ZdlPv(ptr)
declare ptr @malloc_info(i64)
declare void @__cxa_end_catch()

; CHECK: declare noalias ptr @__racert_heap_malloc(i64)
; CHECK: declare void @__racert_heap__ZdlPv(ptr)
; CHECK: declare ptr @malloc_info(i64)
; CHECK: declare void @__racert_cxx___cxa_end_catch()

; CHECK-LABEL: define ptr @use(
; CHECK: call ptr @__racert_heap_malloc(i64 %n)
; CHECK: call ptr @malloc_info(i64 %n)
; CHECK: call void @calloc(ptr %i)
; CHECK: call void @__racert_heap__ZdlPv(ptr %q)
; CHECK: call void @__racert_cxx___cxa_end_catch()
define ptr @use(i64 %n, ptr %q) {
  %p = call ptr @malloc(i64 %n)
  %i = call ptr @malloc_info(i64 %n)
  call void @calloc(ptr %i)
  call void @_ZdlPv(ptr %q)
  call void @__cxa_end_catch()
  ret ptr %p
}

; CHECK-LABEL: define void @calloc(
define void @calloc(ptr %p) {
  store i64 1, ptr %p
  ret void
}
