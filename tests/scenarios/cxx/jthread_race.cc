// expect: data race
// names: payload
// flags: -std=c++20
// Written when the thread has been asked to stop already.
#include <atomic>
#include <stop_token>
#include <thread>

#include "scenario.h"

int payload;

int main() {
  std::jthread worker([](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    wait_for_step(1);
    CONSUME(payload); // here
  });
  worker.request_stop();
  payload = 42; // here
  take_step();
}
