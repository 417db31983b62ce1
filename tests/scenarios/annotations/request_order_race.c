// expect: data race
// tsan: skip, it does not know valgrind's requests
// also: c++
// names: shared
#include "client_request.h"
#include "scenario.h"

int shared, channel;

NOINLINE static void first(void) {
  client_request(REQUEST_BEFORE, &channel, 0);
  shared = 1; // here
}
NOINLINE static void second(void) {
  client_request(REQUEST_AFTER, &channel, 0);
  shared = 2; // here
}

int main(void) { run_two(first, second); }
