// expect: data race
// names: payload
#include <future>
#include <thread>

#include "scenario.h"

int payload;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&promise] {
    promise.set_value(1);
    payload = 42; // here
    take_step();
  });
  future.wait();
  wait_for_step(1);
  CONSUME(payload); // here
  worker.join();
}
