// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
// What the tasks of a whole region reduced is combined by the last thread.
#include <omp.h>

#include "scenario.h"

int main(void) {
  for (int round = 0; round < 20; round++) {
    int sum = 0;
    long product = 1;
#pragma omp parallel num_threads(4) reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum += round;
#pragma omp for reduction(task, * : product)
      for (int i = 1; i <= 5; i++) {
#pragma omp task in_reduction(* : product)
        product *= i;
      }
    }
    if (sum != 4 * round || product != 120) abort();
  }
}
