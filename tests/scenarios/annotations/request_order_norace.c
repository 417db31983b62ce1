// expect: none
// tsan: skip, it does not know valgrind's requests
// also: c++
#include "client_request.h"
#include "scenario.h"

int shared, channel;

NOINLINE static void first(void) {
  shared = 1;
  client_request(REQUEST_BEFORE, &channel, 0);
}
NOINLINE static void second(void) {
  client_request(REQUEST_AFTER, &channel, 0);
  shared = 2;
}

int main(void) { run_two(first, second); }
