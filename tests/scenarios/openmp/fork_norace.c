// expect: none
// flags: -fopenmp
// needs: omp.h
// tsan: false alarm, libomp is not instrumented
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A process forks between its regions; the child has regions of its own.
int values[1000];

NOINLINE static void fill(int value) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 1000; ++i) values[i] = value;
}

int main(void) {
  for (int round = 0; round < 5; ++round) {
    fill(round);
    pid_t child = fork();
    if (child == 0) {
      fill(round + 1);
      exit(values[500] != round + 1);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) abort();
  }
}
