// expect: data race
// tsan: skip, the annotations header is not among its own
// also: c++
// names: message
// The first message brings what was done before its own put, not the second's.
#include "racert/annotations.h"
#include "scenario.h"

int queue, message[2];

NOINLINE static void producer(void) {
  message[0] = 1;
  ANNOTATE_PCQ_PUT(&queue);
  message[1] = 1; // here
  ANNOTATE_PCQ_PUT(&queue);
}
NOINLINE static void consumer(void) {
  ANNOTATE_PCQ_GET(&queue);
  message[0] = 2;
  message[1] = 2; // here
}

int main(void) {
  ANNOTATE_PCQ_CREATE(&queue);
  run_two(producer, consumer);
  ANNOTATE_PCQ_DESTROY(&queue);
}
