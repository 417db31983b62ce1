// expect: data race
// tsan: skip, it does not know valgrind's requests
// names: shared
#include "client_request.h"
#include "scenario.h"

int shared, lock, other;

NOINLINE static void first(void) {
  client_request(REQUEST_LOCK_ACQUIRED, &lock, 1);
  shared = 1; // here
  client_request(REQUEST_LOCK_RELEASED, &lock, 1);
}
NOINLINE static void second(void) {
  client_request(REQUEST_LOCK_ACQUIRED, &other, 1);
  shared = 2; // here
  client_request(REQUEST_LOCK_RELEASED, &other, 1);
}

int main(void) { run_two(first, second); }
