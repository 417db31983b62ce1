// expect: none
// tsan: skip, it does not know valgrind's requests
#include "client_request.h"
#include "scenario.h"

int meant, ignored, forgotten;

NOINLINE static void first(void) {
  client_request(REQUEST_BENIGN, &meant, sizeof meant);
  meant = 1;
  client_request(REQUEST_RECORD_WRITES, 0, 0);
  ignored = 1;
  client_request(REQUEST_RECORD_WRITES, (void *)1, 0);
  forgotten = 1;
}
NOINLINE static void second(void) {
  meant = 2;
  ignored = 2;
  client_request(REQUEST_FORGET, &forgotten, sizeof forgotten);
  forgotten = 2;
}

int main(void) { run_two(first, second); }
