; Only active lanes are checked.
; RUN: opt -passes=racert -S
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)
declare void @llvm.masked.compressstore.v4i16(<4 x i16>, ptr, <4 x i1>)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)

; CHECK-LABEL: define <2 x i32> @gather(
; CHECK: [[A:%.*]] = extractelement <2 x i1> %m, i32 0
; CHECK-NEXT: br i1 [[A]]
; CHECK: [[P:%.*]] = extractelement <2 x ptr> %p, i32 0
; CHECK-NEXT: call preserve_mostcc void @__racert_read4.jump(ptr [[P]])
; CHECK: [[B:%.*]] = extractelement <2 x i1> %m, i32 1
; CHECK-NEXT: br i1 [[B]]
; CHECK: [[Q:%.*]] = extractelement <2 x ptr> %p, i32 1
; CHECK-NEXT: call preserve_mostcc void @__racert_read4.jump(ptr [[Q]])
; CHECK: @llvm.masked.gather
define <2 x i32> @gather(<2 x ptr> %p, <2 x i1> %m) {
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> %m, <2 x i32> zeroinitializer)
  ret <2 x i32> %v
}

; CHECK-LABEL: define void @store_one(
; CHECK: getelementptr i8, ptr %p, i64 8
; CHECK: @__racert_write8.jump
; CHECK-NOT: @__racert_write8.jump
; CHECK: ret void
define void @store_one(ptr %p, <2 x i64> %v) {
  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr %p, i32 8, <2 x i1> <i1 false, i1 true>)
  ret void
}

; CHECK-LABEL: define void @compress(
; CHECK: [[BITS:%.*]] = bitcast <4 x i1> %m to i4
; CHECK: [[COUNT:%.*]] = call i4 @llvm.ctpop.i4(i4 [[BITS]])
; CHECK: [[WIDE:%.*]] = zext i4 [[COUNT]] to i64
; CHECK: [[LENGTH:%.*]] = mul i64 [[WIDE]], 2
; CHECK: call void @__racert_write_range(ptr %p, i64 [[LENGTH]])
define void @compress(ptr %p, <4 x i16> %v, <4 x i1> %m) {
  call void @llvm.masked.compressstore.v4i16(<4 x i16> %v, ptr %p, <4 x i1> %m)
  ret void
}

declare void @llvm.x86.avx2.maskstore.d(ptr, <4 x i32>, <4 x i32>)

; The processor's own intrinsics: the sign bits select.
; CHECK-LABEL: define void @x86_store(
; CHECK: [[M:%.*]] = icmp slt <4 x i32> %m, zeroinitializer
; CHECK: extractelement <4 x i1> [[M]], i32 3
; CHECK: @__racert_write4.jump
; CHECK: call void @llvm.masked.store.v4i32
define void @x86_store(ptr %p, <4 x i32> %m, <4 x i32> %v) #0 {
  call void @llvm.x86.avx2.maskstore.d(ptr %p, <4 x i32> %m, <4 x i32> %v)
  ret void
}
attributes #0 = { "target-features"="+avx2" }
