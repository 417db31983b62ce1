// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// Each thread of the team adds, and nobody minds the others.
int counter;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      counter++; // here
      take_step();
    } else {
      wait_for_step(1);
      counter++;
    }
  }
  CONSUME(counter);
}
