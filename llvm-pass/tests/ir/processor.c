// The processor's own gathers, scatters and masked accesses: each selected lane
// is checked, however the vectors of addresses and of data differ in length.
// RUN: clang -O1 -mavx512f -mavx512vl -S -emit-llvm
// RUN: clang -O0 -mavx512f -mavx512vl -S -emit-llvm
#include <immintrin.h>

// CHECK-LABEL: @gather_all(
// CHECK-COUNT-8: call preserve_mostcc void @__racert_read4.jump
// CHECK-NOT: @llvm.x86.avx2.gather
// CHECK: call <8 x i32> @llvm.masked.gather.v8i32
__m256i gather_all(int *p, __m256i index) { return _mm256_i32gather_epi32(p, index, 4); }

// CHECK-LABEL: @gather_half(
// CHECK-COUNT-2: call preserve_mostcc void @__racert_read4.jump
// CHECK-NOT: @__racert_read4.jump
// CHECK: call <2 x i32> @llvm.masked.gather.v2i32
// CHECK: shufflevector <2 x i32>
__m128i gather_half(int *p, __m128i index, __m128i other, __m128i mask) {
  return _mm_mask_i64gather_epi32(other, p, index, mask, 4);
}

// CHECK-LABEL: @gather_512(
// CHECK-COUNT-16: call preserve_mostcc void @__racert_read4.jump
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
__m512i gather_512(int *p, __m512i index, __m512i other, __mmask16 mask) {
  return _mm512_mask_i32gather_epi32(other, mask, index, p, 4);
}

// CHECK-LABEL: @scatter_two(
// CHECK-COUNT-2: call preserve_mostcc void @__racert_write8.jump
// CHECK-NOT: @llvm.x86.avx512.mask.scatter
// CHECK: call void @llvm.masked.scatter.v2f64
void scatter_two(double *p, __m128i index, __m128d value) {
  _mm_i32scatter_pd(p, index, value, 8);
}

// CHECK-LABEL: @bytes(
// CHECK-COUNT-16: call preserve_mostcc void @__racert_write1.jump
// CHECK: call void @llvm.masked.store.v16i8
void bytes(char *p, __m128i value, __m128i mask) { _mm_maskmoveu_si128(value, mask, p); }

// CHECK-LABEL: @unaligned(
// CHECK: @__racert_read16.jump
// CHECK: load <16 x i8>, ptr {{.*}}, align 1
__m128i unaligned(__m128i *p) { return _mm_lddqu_si128(p); }
