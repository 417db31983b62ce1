// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
// What comes before a league of teams, what they do, and what comes behind.
#include <omp.h>

#include "scenario.h"

enum { COUNT = 64 };
int numbers[COUNT], sum;

int main(void) {
  for (int round = 0; round < 20; round++) {
#pragma omp teams num_teams(2)
    {
#pragma omp distribute
      for (int i = 0; i < COUNT; i++) numbers[i] = round + i;
#pragma omp parallel num_threads(2)
#pragma omp atomic
      sum += round;
    }
    int expected = 0;
    for (int i = 0; i < COUNT; i++) expected += numbers[i] - i;
    if (expected != round * COUNT) abort();
  }
  CONSUME(sum);
}
