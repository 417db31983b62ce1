// expect: data race
// tsan: skip, it does not know valgrind's requests
// names: shared
#include "client_request.h"
#include "scenario.h"

int shared;

NOINLINE static void first(void) {
  client_request(REQUEST_BENIGN, &shared, sizeof shared);
  client_request(REQUEST_BENIGN_END, &shared, sizeof shared);
  shared = 1; // here
}
NOINLINE static void second(void) {
  shared = 2; // here
}

int main(void) { run_two(first, second); }
