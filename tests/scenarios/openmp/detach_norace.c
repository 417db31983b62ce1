// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
// A task with an event has ended when it has run and the event was fulfilled,
// whichever comes first.
#include <omp.h>

#include "scenario.h"

int ran, fulfilled;

int main(void) {
  for (int round = 0; round < 40; round++) {
#pragma omp parallel num_threads(3)
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      ran++;
#pragma omp task firstprivate(event)
      {
        fulfilled++;
        omp_fulfill_event(event);
      }
#pragma omp taskwait
      CONSUME(ran + fulfilled);
    }
    ran++;
  }
}
