// expect: data race
// flags: -fopenmp
// needs: omp.h
#include <omp.h>

#include "scenario.h"

// Two locks guard one variable.
int counted;
omp_nest_lock_t locks[2];

int main(void) {
  omp_init_nest_lock(&locks[0]);
  omp_init_nest_lock(&locks[1]);
#pragma omp parallel num_threads(2)
  {
    int number = omp_get_thread_num();
    wait_for_step(number);
    omp_set_nest_lock(&locks[number]);
    ++counted;  // here
    omp_unset_nest_lock(&locks[number]);
    take_step();
  }
}
