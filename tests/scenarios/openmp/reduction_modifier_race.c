// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// A region in which tasks reduce one variable, and threads meet in another.
int counter;

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(task, + : sum)
  {
    if (omp_get_thread_num() == 0) {
      counter++; // here
      take_step();
    } else {
      wait_for_step(1);
      counter++; // here
    }
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  return sum != 2;
}
