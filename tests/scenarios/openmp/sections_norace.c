// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
#include <omp.h>

#include "scenario.h"

// Each section has its own; all are done when the next construct begins.
int one, two, last, sum, both;

int main(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp sections lastprivate(last) reduction(+ : sum)
    {
#pragma omp section
      {
        one = 1;
        sum += 1;
        last = 1;
      }
#pragma omp section
      {
        two = 2;
        sum += 2;
        last = 2;
      }
    }
#pragma omp sections
    {
#pragma omp section
      both = one + two + last;
#pragma omp section
      CONSUME(one + two + sum);
    }
  }
  if (both != 5 || sum != 3) abort();
}
