// expect: none
#include <mutex>

#include "scenario.h"

struct node {
  int value = 0;
};
node *shared;
std::mutex mutex;

NOINLINE static void use() {
  std::lock_guard<std::mutex> guard(mutex);
  if (shared) shared->value = 1;
}
NOINLINE static void release() {
  std::lock_guard<std::mutex> guard(mutex);
  delete shared;
  shared = nullptr;
}

int main() {
  shared = new node;
  run_two(use, release);
}
