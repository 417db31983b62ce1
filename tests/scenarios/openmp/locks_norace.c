// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
#include <omp.h>

#include "scenario.h"

// Locks that are taken more than once by their owner, and locks that are tried.
int nested, tried;
omp_nest_lock_t nest_lock;
omp_lock_t lock;

NOINLINE static void count(int depth) {
  if (depth % 2)
    omp_set_nest_lock(&nest_lock);
  else
    while (!omp_test_nest_lock(&nest_lock)) {}
  ++nested;
  if (depth) count(depth - 1);
  omp_unset_nest_lock(&nest_lock);
}

int main(void) {
  omp_init_nest_lock(&nest_lock);
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 10; ++i) {
    count(3);
    while (!omp_test_lock(&lock)) {}
    ++tried;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest_lock);
  if (nested != 160 || tried != 40) abort();
}
