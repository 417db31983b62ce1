// expect: data race
// flags: -fopenmp
// needs: omp.h
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// A child that a program with regions has forked has a race in its own.
int value;

NOINLINE static void count(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) wait_for_step(1);
    ++value;  // here
    if (omp_get_thread_num() == 0) take_step();
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  CONSUME(value);
  pid_t child = fork();
  if (child == 0) {
    count();
    exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) abort();
  return WEXITSTATUS(status);
}
