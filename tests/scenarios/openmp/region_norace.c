// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
#include <omp.h>

#include "scenario.h"

#define COUNT 400
int numbers[COUNT], others[COUNT];
int critical, named, locked, atomic, in_order;
omp_lock_t lock;

NOINLINE static void together(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < COUNT; i++) numbers[i] = i;
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < COUNT; i++) others[i] = numbers[COUNT - 1 - i];
#pragma omp single
    critical = 1;
#pragma omp critical
    critical++;
#pragma omp critical(two)
    named++;
#pragma omp atomic
    atomic++;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
#pragma omp barrier
    if (omp_get_thread_num() == 1) numbers[0] = critical + named + atomic;
#pragma omp barrier
    if (omp_get_thread_num() == 2) numbers[0]++;
  }
}

int main(void) {
  omp_init_lock(&lock);
  together();
  long sum = 0;
  double half = 0;
#pragma omp parallel for reduction(+ : sum, half) num_threads(4)
  for (int i = 0; i < COUNT; i++) {
    sum += numbers[i];
    half += others[i] * 0.5;
  }
#pragma omp parallel for ordered num_threads(4)
  for (int i = 0; i < 20; i++) {
#pragma omp ordered
    in_order += i;
  }
  int copy;
#pragma omp parallel private(copy) num_threads(4)
  {
#pragma omp single copyprivate(copy)
    copy = 7;
    if (copy != 7) abort();
  }
  omp_destroy_lock(&lock);
  if (sum == 0 || half == 0 || in_order != 190 || locked != 4) abort();
}
