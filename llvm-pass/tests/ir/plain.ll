; The inlined test of plain loads and stores.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@global = global i64 0, align 8
@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; CHECK: @__racert_tls = external thread_local(initialexec) global [64 x i8]
; CHECK: @llvm.global_ctors = appending global {{.*}} { i32 0, ptr @racert.module_ctor, ptr null }

; CHECK-LABEL: define i64 @aligned_read(
; CHECK-NEXT: [[CURRENT:%.*]] = load i64, ptr @__racert_tls{{.*}}!nosanitize
; CHECK-NEXT: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[IMAGE:%.*]] = xor i64 [[ADDRESS]], 70368744177664
; CHECK-NEXT: [[SHADOW:%.*]] = add i64 [[IMAGE]], 2048
; CHECK-NEXT: [[POINTER:%.*]] = inttoptr i64 [[SHADOW]] to ptr
; CHECK-NEXT: [[WORD:%.*]] = load atomic i64, ptr [[POINTER]] monotonic, align 8, !nosanitize
; CHECK-NEXT: [[DIFFERENCE:%.*]] = sub i64 [[WORD]], [[CURRENT]]
; CHECK-NEXT: [[BITS:%.*]] = and i64 [[DIFFERENCE]], -8796092956417
; CHECK-NEXT: [[MISS:%.*]] = icmp ne i64 [[BITS]], 0
; CHECK-NEXT: br i1 [[MISS]], label {{.*}}, !prof
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr %p)
; CHECK: load i64, ptr %p
define i64 @aligned_read(ptr %p) {
  %v = load i64, ptr %p, align 8
  ret i64 %v
}

; The mask moves with the address.
; CHECK-LABEL: define void @write_within_granule(
; CHECK: and i64 {{%.*}}, -8
; CHECK: [[OFFSET:%.*]] = and i64 {{%.*}}, 7
; CHECK: shl i64 768, [[OFFSET]]
; CHECK: call preserve_mostcc void @__racert_write2.jump(ptr %p)
define void @write_within_granule(ptr %p) {
  store i16 1, ptr %p, align 2
  ret void
}

; A known place within the granule needs no shift.
; CHECK-LABEL: define i8 @known_offset(
; CHECK-NOT: shl
; CHECK: and i64 {{%.*}}, -8796092956664
; CHECK: call preserve_mostcc void @__racert_read1.jump(
define i8 @known_offset() {
  %v = load i8, ptr getelementptr (i8, ptr @global, i64 3), align 1
  ret i8 %v
}

; CHECK-LABEL: define i128 @two_granules(
; CHECK: load atomic i64
; CHECK: load atomic i64
; CHECK-NOT: load atomic i64
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr %p)
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK: call preserve_mostcc void @__racert_read8.jump(ptr [[SECOND]])
define i128 @two_granules(ptr %p) {
  %v = load i128, ptr %p, align 16
  ret i128 %v
}

; Three words for 16 bytes that are not aligned: first, middle, last byte's.
; CHECK-LABEL: define <4 x i32> @straddling(
; CHECK-COUNT-3: load atomic i64
; CHECK-NOT: load atomic i64
; CHECK-COUNT-2: call preserve_mostcc void @__racert_read8.jump(ptr
; CHECK: call preserve_mostcc void @__racert_read16.jump(ptr %p)
define <4 x i32> @straddling(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 4
  ret <4 x i32> %v
}

; CHECK-LABEL: define void @odd_sizes(
; CHECK: call void @__racert_write_range(ptr %p, i64 3)
; CHECK: call void @__racert_write_range(ptr %q, i64 10)
; CHECK: call preserve_mostcc void @__racert_write4.jump(ptr %r)
define void @odd_sizes(ptr %p, ptr %q, ptr %r) {
  store i24 1, ptr %p, align 1
  store x86_fp80 0xK00000000000000000000, ptr %q, align 16
  store i32 1, ptr %r, align 1
  ret void
}

; CHECK-LABEL: define i32 @nothing_to_check(
; CHECK-NOT: racert
; CHECK: ret i32
define i32 @nothing_to_check(i32 %i, ptr %p, ptr addrspace(257) %q) {
  %a = alloca i32, align 4
  store i32 %i, ptr %a, align 4
  %e = getelementptr [4 x i32], ptr @table, i32 0, i32 %i
  %c = load i32, ptr %e, align 4
  %n = load i32, ptr %p, align 4, !nosanitize !0
  %v = load i32, ptr %p, align 4, !invariant.load !0
  %s = load i32, ptr addrspace(257) %q, align 4
  %l = load i32, ptr %a, align 4
  %t = add i32 %c, %l
  ret i32 %t
}

; An alloca whose address is stored elsewhere may be reached by another thread.
; CHECK-LABEL: define void @escaping(
; CHECK: call preserve_mostcc void @__racert_write8.jump(ptr %p)
; CHECK: call preserve_mostcc void @__racert_write4.jump(ptr %a)
define void @escaping(ptr %p) {
  %a = alloca i32, align 8
  store ptr %a, ptr %p, align 8
  store i32 1, ptr %a, align 4
  ret void
}

; CHECK: declare preserve_mostcc void @__racert_read8(ptr) [[COLD:#[0-9]+]]
; CHECK: define linkonce_odr hidden preserve_mostcc void @__racert_read8.jump(ptr %0) {{.*}}comdat
; CHECK: define internal void @racert.module_ctor()
; CHECK-NEXT: call void @__racert_init(i32 4)
; CHECK: attributes [[COLD]] = { cold nounwind }
!0 = !{}
