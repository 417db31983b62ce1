// expect: none
#include <future>
#include <thread>

#include "scenario.h"

int payload;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&promise] {
    payload = 42;
    promise.set_value(1);
  });
  future.wait();
  CONSUME(payload);
  worker.join();
  auto later = std::async(std::launch::async, [] { return payload += 1; });
  if (later.get() != 43) return 1;
  payload += 1;
}
