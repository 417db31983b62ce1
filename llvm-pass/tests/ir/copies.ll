; Copies and fills.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @memcpy(ptr, ptr, i64)
declare void @take(ptr byval([24 x i8]))

; CHECK-LABEL: define void @by_runtime(
; CHECK: call ptr @__racert_memcpy(ptr %d, ptr %s, i64 %n)
; CHECK-NEXT: call ptr @__racert_memmove(ptr %d, ptr %s, i64 %n)
; CHECK-NEXT: call ptr @__racert_memset(ptr %d, i32 7, i64 %n)
; CHECK-NEXT: %r = call ptr @__racert_memcpy(ptr %d, ptr %s, i64 %n)
; CHECK-NOT: llvm.mem
; CHECK: ret void
define void @by_runtime(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %d, i8 7, i64 %n, i1 false)
  %r = call ptr @memcpy(ptr %d, ptr %s, i64 %n)
  ret void
}

; Short ones stay, with inlined tests.
; CHECK-LABEL: define void @short(
; CHECK-COUNT-3: call preserve_mostcc void @__racert_read8.jump(
; CHECK-COUNT-3: call preserve_mostcc void @__racert_write8.jump(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 24, i1 false)
; CHECK: call void @__racert_write_range(ptr %d, i64 40)
; CHECK: call void @llvm.memset.p0.i64(ptr align 8 %d, i8 0, i64 40, i1 false)
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr %d)
; CHECK: call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 8, i1 false)
define void @short(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %d, i8 0, i64 40, i1 false)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 8, i1 false)
  ret void
}

; So do those that are not whole granules, if it is known where they begin.
; CHECK-LABEL: define void @in_pieces(
; CHECK: %p = getelementptr
; CHECK: br i1
; CHECK: [[A:%.*]] = getelementptr i8, ptr %d, i64 4
; CHECK: call preserve_mostcc void @__racert_write4.jump(ptr [[A]])
; CHECK: [[B:%.*]] = getelementptr i8, ptr %d, i64 8
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr [[B]])
; CHECK: [[C:%.*]] = getelementptr i8, ptr %d, i64 16
; CHECK: call preserve_mostcc void @__racert_write2.jump(ptr [[C]])
; CHECK: call void @llvm.memset
; CHECK: call ptr @__racert_memset(ptr %e, i32 0, i64 14)
define void @in_pieces(ptr align 8 %d, ptr %e) {
  %p = getelementptr i8, ptr %d, i64 4
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 14, i1 false)
  call void @llvm.memset.p0.i64(ptr %e, i8 0, i64 14, i1 false)
  ret void
}

; What must not become a call stays.
; CHECK-LABEL: define void @inline_only(
; CHECK: call void @__racert_read_range(ptr %s, i64 100)
; CHECK-NEXT: call void @__racert_write_range(ptr %d, i64 100)
; CHECK-NEXT: call void @llvm.memcpy.inline
define void @inline_only(ptr %d, ptr %s) {
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %d, ptr %s, i64 100, i1 false)
  ret void
}

; CHECK-LABEL: define void @local_side(
; CHECK-NOT: write_range
; CHECK: call void @__racert_read_range(ptr %s, i64 100)
; CHECK-NEXT: call void @llvm.memcpy
define void @local_side(ptr %s) {
  %a = alloca [100 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %s, i64 100, i1 false)
  ret void
}

; CHECK-LABEL: define void @byval(
; CHECK-COUNT-3: call preserve_mostcc void @__racert_read8.jump(
; CHECK: call void @take(ptr byval([24 x i8]) align 8 %p)
define void @byval(ptr %p) {
  call void @take(ptr byval([24 x i8]) align 8 %p)
  ret void
}
