// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
#include <omp.h>

#include "scenario.h"

NOINLINE static int fibonacci(int n) {
  int one, two;
  if (n < 2) return n;
#pragma omp task shared(one) firstprivate(n)
  one = fibonacci(n - 1);
#pragma omp task shared(two) firstprivate(n)
  two = fibonacci(n - 2);
#pragma omp taskwait
  return one + two;
}

int first, second, group[2], loop[64];

int main(void) {
  int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  result = fibonacci(12);
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : first)
    first = 1;
#pragma omp task depend(in : first) depend(out : second)
    second = first + 1;
#pragma omp task depend(inout : second)
    second++;
#pragma omp taskwait
    first = second;
#pragma omp taskgroup
    {
#pragma omp task
      group[0] = 5;
#pragma omp task
      group[1] = 6;
    }
    group[0] += group[1];
  }
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(4)
  for (int i = 0; i < 64; i++) loop[i] = i;
  if (result != 144 || first != 3 || group[0] != 11 || loop[63] != 63) abort();
}
