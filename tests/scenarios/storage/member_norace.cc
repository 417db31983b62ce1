// expect: none
// orders: first-second second-first
#include "scenario.h"

struct pair {
  int left = 0;
  int right = 0;
};

pair *shared;

static void write_left() { shared->left = 1; }
static void write_right() { shared->right = 1; }

int main() {
  shared = new pair;
  run_ordered(write_left, write_right);
  delete shared;
}
