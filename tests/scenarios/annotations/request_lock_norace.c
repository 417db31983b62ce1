// expect: none
// tsan: skip, it does not know valgrind's requests
#include "client_request.h"
#include "scenario.h"

int shared, lock;

NOINLINE static void first(void) {
  client_request(REQUEST_LOCK_ACQUIRED, &lock, 1);
  shared = 1;
  client_request(REQUEST_LOCK_RELEASED, &lock, 1);
}
NOINLINE static void second(void) {
  client_request(REQUEST_LOCK_ACQUIRED, &lock, 0);
  int seen = shared;
  client_request(REQUEST_LOCK_RELEASED, &lock, 0);
  (void)seen;
}

int main(void) { run_two(first, second); }
