// expect: none
// flags: -std=c++20
// A thread that is asked to stop and joined when it goes out of scope.
#include <atomic>
#include <stop_token>
#include <thread>

#include "scenario.h"

int payload, answer;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      answer = payload;
    });
    payload = 42;
    worker.request_stop();
  }
  if (answer != 42) return 1;
}
