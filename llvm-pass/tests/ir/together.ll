; Fields of one object share a branch, each with its own call and place.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @sync()
declare noalias ptr @malloc(i64)
declare void @free(ptr nocapture)

; CHECK-LABEL: define i64 @fields(
; CHECK: [[CURRENT:%.*]] = load i64, ptr @__racert_tls
; CHECK: [[OBJECT:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[SHADOW:%.*]] = xor i64 [[OBJECT]], 70368744177664
; CHECK: or i64
; CHECK: br i1
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr %p){{.*}} !dbg [[FIRST:![0-9]+]]
; CHECK: [[Q:%.*]] = getelementptr i8, ptr %p, i64 16
; CHECK: call preserve_mostcc void @__racert_write2.jump(ptr [[Q]]){{.*}} !dbg [[SECOND:![0-9]+]]
; CHECK-NOT: br i1
; CHECK: ret i64
define i64 @fields(ptr %p) !dbg !3 {
  %a = load i64, ptr %p, align 8, !dbg !4
  %q = getelementptr i8, ptr %p, i64 16
  store i16 3, ptr %q, align 8, !dbg !5
  ret i64 %a
}

; CHECK-LABEL: define i64 @not_across_a_call(
; CHECK: @__racert_read8.jump(ptr %p)
; CHECK: call void @sync()
; CHECK: @__racert_read8.jump(ptr %q)
define i64 @not_across_a_call(ptr %p) {
  %a = load i64, ptr %p, align 8
  call void @sync()
  %q = getelementptr i8, ptr %p, i64 16
  %b = load i64, ptr %q, align 8
  ret i64 %b
}

; Heap memory that nobody else knows.
; CHECK-LABEL: define i64 @private_heap(
; CHECK-NOT: @__racert_{{read|write}}
; CHECK: ret i64
define i64 @private_heap() {
  %p = call noalias ptr @malloc(i64 8)
  store i64 1, ptr %p, align 8
  %a = load i64, ptr %p, align 8
  call void @free(ptr %p)
  ret i64 %a
}

; CHECK-DAG: [[FIRST]] = !DILocation(line: 2,
; CHECK-DAG: [[SECOND]] = !DILocation(line: 3,
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "fields.c", directory: "")
!3 = distinct !DISubprogram(name: "fields", file: !2, line: 1, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
!5 = !DILocation(line: 3, scope: !3)
