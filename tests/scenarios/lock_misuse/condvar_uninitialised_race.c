// expect: use of a condition variable that is not initialised
// also: c++
// names: condition variable 'condition'
// tsan: misses, it does not look at what a condition variable holds
#include "scenario.h"

// A condition variable in memory that was used for something else.
union {
  char text[sizeof(pthread_cond_t)];
  pthread_cond_t variable;
} condition;

int main(void) {
  condition.text[sizeof condition.text - 1] = 'x';
  pthread_cond_signal(&condition.variable); // here
}
