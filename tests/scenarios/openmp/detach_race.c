// expect: data race
// flags: -fopenmp
// needs: omp.h
// names: counter
// reports: any
#include <omp.h>

#include "scenario.h"

// Who fulfils the event of a task has not waited for it.
int counter;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
        counter++; // here
        take_step();
      }
      wait_for_step(1);
      omp_fulfill_event(event);
      counter++;
    }
  }
}
