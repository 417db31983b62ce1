// expect: data race with free
// reports: any
#include "scenario.h"

struct node {
  int value = 0;
  int others[6] = {};
};
node *shared;

NOINLINE static void use() {
  shared->value = 1; // here
}
NOINLINE static void release() {
  delete shared; // here
}

int main() {
  shared = new node;
  run_two(use, release);
}
