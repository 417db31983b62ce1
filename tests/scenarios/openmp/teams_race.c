// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// Teams of a league do not wait for each other.
int counter;

int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
  {
    if (omp_get_team_num() == 0) {
      counter++; // here
      take_step();
    } else {
      wait_for_step(1);
      counter++; // here
    }
  }
}
