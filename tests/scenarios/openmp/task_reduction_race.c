// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: sum
#include <omp.h>

#include "scenario.h"

static int sum;

int main(void) {
  omp_set_num_threads(4);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(sum)
    {
      sum += 1; // here
      take_step();
    }
    wait_for_step(1);
    sum += 1; // here
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += i;
  }
}
