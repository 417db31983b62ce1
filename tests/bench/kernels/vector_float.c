/* Loops over floats that the compiler turns into vector code at -O2. */
#include "../bench.h"

enum { FLOATS = 1 << 16 };

static BENCH_NOINLINE void axpy(float *restrict y, const float *restrict x, float a, size_t count) {
  for (size_t i = 0; i < count; i++) y[i] = y[i] * 0.5f + a * x[i];
}

static BENCH_NOINLINE void smooth(float *restrict to, const float *restrict from, size_t count) {
  for (size_t i = 1; i + 1 < count; i++) {
    to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
  }
}

static void work(unsigned worker, uint64_t passes) {
  float *x = (float *)bench_alloc(FLOATS * sizeof *x);
  float *y = (float *)bench_alloc(FLOATS * sizeof *y);
  uint64_t state = bench_seed(worker);
  for (size_t i = 0; i < FLOATS; i++) {
    x[i] = (float)(bench_random(&state) >> 40) / 16777216.0f;
    y[i] = 0.0f;
  }
  for (uint64_t pass = 0; pass < passes; pass++) {
    axpy(y, x, 0.75f, FLOATS);
    smooth(x, y, FLOATS);
    bench_publish((uint64_t)(x[pass % FLOATS] * 4096.0f));
  }
  double sum = 0;
  for (size_t i = 0; i < FLOATS; i++) sum += x[i] + y[i];
  bench_publish((uint64_t)(sum * 4096.0));
  free(y);
  free(x);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 2500));
  return bench_finish();
}
