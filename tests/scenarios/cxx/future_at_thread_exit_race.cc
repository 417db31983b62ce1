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
    promise.set_value_at_thread_exit(1);
    payload = 42; // here
    take_step();
  });
  wait_for_step(1);
  payload = 43; // here
  if (future.get() != 1) return 1;
  worker.join();
}
