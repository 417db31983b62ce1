// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// Sections are done at the same time, and both add. The first waits until the
// second has begun, so that no thread has both.
int counter;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      wait_for_step(1);
      counter++; // here
      take_step();
    }
#pragma omp section
    {
      take_step();
      wait_for_step(2);
      counter++; // here
    }
  }
  CONSUME(counter);
}
