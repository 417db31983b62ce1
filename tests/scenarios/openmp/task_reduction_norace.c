// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
// What the tasks of a group reduced is combined before the group is left.
#include <omp.h>

#include "scenario.h"

int main(void) {
  int rounds = 0, sum = 0, groups = 0;
  omp_set_num_threads(4);
  for (; rounds < 20; rounds++) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) grainsize(4)
      for (int i = 0; i < 64; i++) sum += i;
#pragma omp taskgroup task_reduction(+ : groups)
      {
        for (int i = 0; i < 8; i++)
#pragma omp task in_reduction(+ : groups)
          groups += i;
      }
      CONSUME(sum + groups);
    }
  }
  return sum != rounds * 64 * 63 / 2 || groups != rounds * 28;
}
