// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// The one who made the task does not wait for it.
int counter;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
#pragma omp task
      {
        counter++; // here
        take_step();
      }
      wait_for_step(1);
      counter++;
    }
  }
}
